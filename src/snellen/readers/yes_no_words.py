"""The words by which answers say yes and no, English and Chinese, as patterns for one clause of an answer.

All expect the spelling that `snellen.readers.yes_no` gives a text: lower case, ``cannot`` and ``is not`` spelt out,
half-width signs. Gaps are bounded, so that a search is linear in the length of the clause.
"""

from __future__ import annotations

from typing import Final

from snellen.readers.pattern import Pattern

_SUBJECT = (
    r"(?:it|there|they|the|this|that|these|those|he|she|i|we|you|in|on|at|both|all|based|according|because|since|as|"
    r"but|although|though|while|given|for|sir|ma'am|definitely|absolutely|indeed|of course)"
)
_END = r"(?=$| (?:because|since|as|but|although|though|while|so|given|based|according|for|from me)\b)"
_PICTURE = r"(?:image|picture|photo|photograph|scene|frame|figure|chart|screenshot|video)"

FILLER: Final = Pattern(
    r"(?:(?:well|so|hm+|ok|okay|ah|oh|um+|uh|therefore|thus|hence|then|actually|wait|sorry|in short|in conclusion|"
    r"in summary|in fact|overall|and|but|however|i think|i believe|i guess|i would say|i'd say|probably|likely|"
    r"most likely|most probably|definitely|certainly|absolutely|clearly|simply|again|finally|still|short|brief|"
    r"to answer your question|a|an|it's|option|choice)(?: |$))+"
)
"""What may stand before a yes or a no without weakening it."""

YES: Final = Pattern(rf"(?:yes|yeah|yep|yup|yea|affirmative)(?:$|!| {_SUBJECT}\b)")
NO: Final = Pattern(rf"(?:no|nope|nah|negative)(?:$|!| (?:{_SUBJECT}|not|and)\b)")

SOFT_YES: Final = Pattern(
    r"(?:correct|true|right|indeed|absolutely|definitely|certainly|sure|exactly|surely|of course|y|undoubtedly|"
    r"(?:without|no|beyond)(?: a| any)? (?:doubt|question)(?: about it| about that)?)$"
)
SOFT_NO: Final = Pattern(
    r"(?:incorrect|false|wrong|untrue|none|never|n|no way|(?:(?:definitely|absolutely|certainly|of course|surely|"
    r"clearly|"
    r"probably|likely|most likely|apparently|no) )?not)$|"
    rf"not (?:really|at all|quite|exactly|correct|true|right|present|visible|there|here|that i (?:can see|know of|see)|"
    rf"(?:in|on) (?:this|the) {_PICTURE})\b(?! (?:sure|certain|clear))"
)
"""Words that answer only where an answer begins."""

VERDICT_YES: Final = Pattern(
    r"(?:that|this|it|the statement|the claim|you) (?:is|are|seems|appears|sounds) (?:absolutely |indeed |quite |"
    r"to be )?"
    r"(?:correct|right|true|accurate|the case|so)$|(?:i|we) (?:do |really )?(?:think|believe|guess|suppose) so$|"
    r"(?:it|so it) (?:seems|appears|looks)(?: like it| so)?$|seems so$"
)
VERDICT_NO: Final = Pattern(
    r"(?:that|this|it|the statement|the claim) (?:is|are) (?:indeed |quite |clearly )?"
    r"(?:not (?:correct|right|true|accurate|the case|so)|incorrect|wrong|false|inaccurate|untrue)$|"
    r"i am afraid (?:not|no|so not)$|(?:i|we) (?:do not (?:really )?(?:think|believe|guess|suppose) so|(?:think|"
    r"guess|believe|suppose) not)$"
)
ECHO_YES: Final = Pattern(
    r"(?:it|there|they|he|she|this|that|these|those|i|we) (?:certainly |definitely |clearly |indeed )?"
    r"(?:is|are|does|do|did|was|were|has|have|can|will)(?: indeed| so)?$"
)
ECHO_NO: Final = Pattern(
    r"(?:it|there|they|he|she|this|that|these|those|i|we) (?:certainly |definitely |clearly )?"
    r"(?:is|are|does|do|did|was|were|has|have|can|will|could|would)(?: not|not)(?: any| one| so)?$"
)
"""A verb with nothing behind it: "It is.", "There aren't any."."""

_WEIGHED = (
    r"(?: (?:a|an|clearly|therefore|thus|simply|definitely|probably|likely|most likely|firm|clear|resounding|definite|"
    r"strong|still|also|actually|indeed|certainly|most certainly|again|just|that|it is|it's|option|simple|both|now|"
    r"going to be))*"
)
SAID: Final = Pattern(
    r"(?:(?P<explicit>\b(?:answer|response|verdict|conclusion|reply)\b[^,;:]{0,80}? (?:is|was|be|remains|becomes|are))|"
    r"\b(?:i|we|one)(?:'d)? (?:(?:would|will|must|can|have to|should|am going to|do|also|"
    r"still) ){0,2}(?:\w+ly )?(?:say|"
    r"answer(?: with)?|think|believe|guess|go with|choose|pick|respond|reply|conclude|vote|suppose|reckon|"
    r"lean towards?)|"
    r"\b(?:i am|i'm|we are) (?:going|leaning|inclined) (?:with|towards?|to say|to answer)|"
    r"(?:^|\b(?:but|and|so|then|thus|therefore|because) )(?:it is|that is|this is|it's|that's|it would be|"
    r"that would be|"
    r"it must be|it should be|make that|the result is|it has to be|i mean|so|thus|therefore|hence|then|now|rather|is|"
    r"would be|"
    rf"in fact|actually|wait|again|hm+|oh|sorry)){_WEIGHED} "
    rf"(?P<denied>not (?:a |an )?)?(?P<word>yes|no|affirmative|negative|correct|true|false|incorrect)!?{_END}"
)
"""A yes or no at the end of a clause that declares it."""

UNSAID: Final = Pattern(
    r"\b(?:might|may|could|cannot|can|never|hard to|difficult to|unable to|not able to|some|people|others|anyone|"
    r"someone|you|thought|said|initially|at first|at first glance|first glance|would not|do not|will not)\b[^,;:]{0,60}"
    r"\b(?:yes|no)\b"
)
"""A yes or no that somebody might say, or once said."""

LABEL: Final = Pattern(
    r"(?:^|\s)(?P<final>final |correct |overall )?(?:answer|ans|response|reply|conclusion|verdict|result|output|"
    r"prediction|decision|a)$|(?P<final_zh>最终|最后)?的?(?:答案|回答|答|结论|判断|结果)(?:是|为|应为|应该是|应是)?$"
)
"""What stands before a colon that introduces the answer."""

CORRECTS: Final = Pattern(
    r"\b(?:actually|wait|correction|scratch that|sorry|i mean|i meant|my mistake|let me correct|i was wrong|i misread|"
    r"on (?:closer|second|further|careful|another) (?:look|inspection|thought|examination|reflection|consideration|"
    r"reading)|looking (?:more closely|again|closer|carefully)|to correct myself|rather|re-?checking|"
    r"upon (?:closer|further|second) \w+|no longer|changed? my mind)\b"
    r"|不对|更正|纠正|抱歉|等等|等一下|仔细(?:看|观察|一看)|再看|其实|实际上|我看错|说错|应该是|重新"
)
CONCLUDES: Final = Pattern(
    r"\b(?:so|therefore|thus|hence|consequently|in conclusion|in summary|to conclude|overall|ultimately|finally|"
    r"in short|all in all|to summarize)\b|因此|所以|综上|总之|总的来说|故而|最终"
)
CANNOT_TELL: Final = Pattern(
    r"[ ,.:;]*(?:unfortunately,? )?(?:(?:i|we|one|you|it|this|that)\b[^.;]{0,24}\b(?:cannot|could not|unable|"
    r"impossible|"
    r"not possible|not able)\b(?: to)?(?: be)?(?: \w+ly)? (?:determin|tell\b|answer|say\b|know\b|judg|conclud|assess|"
    r"ascertain|certain|sure|be sure|be certain|verif|confirm)|(?:it|this|that) is (?:not |un)(?:clear|certain|known|"
    r"possible)|(?:i|we) (?:do not|have no) (?:know|idea|have (?:enough|any) information))|"
    r"[ ,.:;]*(?:我|这|图)?[^,.;。]{0,6}(?:无法|不能|难以|没法)(?:确定|判断|回答|得知|确认|看清)|"
    r"[ ,.:;]*(?:我)?(?:不知道|不清楚|不确定)"
)
"""What makes a "no" before it part of a refusal: "No, I cannot tell."."""

DENIES: Final = Pattern(
    r"\b(?:there (?:(?:is|are|was|were|has|have)(?: \w+ly)?|(?:appears?|seems?) to be) (?:no|not|nothing|none|nobody)|"
    r"(?:i|we) (?:can |could |do )?(?:\w+ly )?(?:see|find|notice|observe|spot|detect) (?:no|nothing|none)|"
    rf"{_PICTURE} (?:\w+ly )?(?:shows?|contains?|has|includes?|features?|depicts?|displays?) (?:no|nothing)|"
    r"(?:is|are|was|were|does|do|did|has|have) (?:\w+ly )?not|(?:i|we) (?:cannot|could not) (?:\w+ly )?"
    r"(?:see|find|notice|observe|spot|detect|identify|locate)|(?:can|could)(?:not| not)(?: be)? (?:seen|found|spotted|"
    r"identified|observed)|am not seeing|lacks?|"
    r"(?:is|are) (?:absent|missing|nowhere))\b|"
    r"^(?:no(?!-)|none of|nobody|nothing|neither of|not (?:a|an|any|a single|one))\b"
)
"""A statement that something is not so, or not there."""

DENIES_NOTHING: Final = Pattern(
    r"\bno (?:more|less|fewer)\b|\b(?:i|we) (?:do|did) not have\b|"
    r"\b(?:no|not|nothing|any) (?:(?:a|an|any|real|particular|longer) )?(?:doubt|question|problem|issue|matter|wonder|"
    r"idea|way|information|data|evidence|reason|answer|sure|certain|clear|entirely|only|just|possible|"
    r"necessarily|enough|sufficient|able|know|have (?:enough|access|the|any)|wrong|confident|specif\w+|provid\w+|"
    r"mention\w*|difference|change|conclusive\w*|definitive\w*|other|unusual|uncommon|surpris\w+|think|believe|say|"
    r"mean)\b"
)
"""Denials that answer nothing."""

NOT_SEEN: Final = Pattern(
    rf"(?:i|we) (?:cannot|could not) (?:\w+ly )?(?:see|find|notice|observe|spot|detect|locate) (?:a|an|any|"
    rf"the (?!{_PICTURE}\b))\b|"
    r"(?:the|a|any) (?!text|label|value|answer|number|image|picture|photo|details?\b)[^,.;]{1,40} (?:is|are) not "
    r"(?:\w+ly )?visible\b"
)
"""Refuses to see; which of a thing, not of the picture, is a denial."""

THINKS_NOT: Final = Pattern(
    r"(?:i|we) do not (?:think|believe) (?:that )?(?:there|it|this|that|the|they|he|she|any|these|those)\b"
)
THERE_IS: Final = Pattern(
    r"(?:[^,]{0,40}, )?(?:(?:and |so )?there (?:is|are)(?: (?:indeed|clearly|definitely|certainly|also))?|(?:i|we) "
    r"(?:can |do )?(?:\w+ly )?see) (?:a|an|the|some|several|many|multiple|at least one)\b(?!.*\b(?:but|only|instead|"
    r"not|no(?!-)|rather|however)\b)"
)
"""A statement that something is there; one of an amount answers another question."""

ZH_BOTH: Final = Pattern(
    r"是或否|是/否|是与否|是还是(?:否|不是)|是否(?!定)|是不是|(?<!没)有没有|(?<!没)有无|对不对|对还是错|对或错|"
    r"能不能|会不会|"
    r"在不在|存不存在|可不可以|"
    r"正确与否|yes或no|yes还是no"
)
ZH_QUESTION: Final = Pattern(r"[吗么呢吧]$")
ZH_FILLER: Final = Pattern(
    r"(?:嗯|哦|噢|啊|好的|那么|所以|因此|综上(?:所述)?|总之|其实|实际上|不过|但是?|而|我(?:认为|觉得|想|会说|"
    r"的(?:答案|回答)(?:是|为))|"
    r"应该|那|回答[:是]?|答案(?:应该|应当)?(?:是|为)?[: ]*|图(?:片|像)?(?:中|里|上)?|答|结论(?:是|为)?|大概|很可能|"
    r"基本上|确实|显然|"
    r"当然|绝对|肯定(?!的)|故|最终|[: ])+"
)
ZH_NO: Final = Pattern(
    r"(?:不|否|不是(?:的|这样的?|的呢)?|没有(?:的|呢)?|并没有|并不是?|并非(?:如此|这样)?|不对的?|不正确的?|错误?的?|"
    r"错了|不存在的?|没|无|"
    r"非也|不会的?|不能|不可以|不行|不在|不可能|否定的?|当然不是?|绝对(?:不是|没有)|没看到|没有看到|看不到|未看到|"
    r"不成立|不属实|no)[啊呀哦呢了!]?$"
)
ZH_YES: Final = Pattern(
    r"(?:是|是的|是啊|对|对的|对啊|没错|正确的?|有|有的|存在的?|确实(?:是|如此|有|存在)?的?|当然(?:是|有|可以)?|"
    r"的确(?:是|如此|有)?|可以|会的?|"
    r"能|行|肯定的?|属实|成立|真的|没有(?:错|问题|疑问)|毫无疑问|yes)[啊呀哦呢了!]?$"
)
ZH_YES_BEGINS: Final = Pattern(r"(?:是的|对的|没错|有的|正确|嗯)[^否不没错吗么]")
ZH_PARTICLE: Final = Pattern(r"(?:不|不是的?|是|是的|对|对的|嗯)$")
ZH_VERB_YES: Final = Pattern(r"(?:是|确实|的确|其实)?有的?[啊呀哦呢!]?$")
ZH_VERB_NO: Final = Pattern(r"(?:并|确实|其实|的确)?没有?[啊呀哦呢!]?$")
"""The verb of an answer, which outranks the particle before it: 不，有的 says that there is one."""

ZH_DENIES: Final = Pattern(
    r"没有|没看到|没见|看不到|看不见|找不到|未(?:见|看到|发现|出现|显示)|不存在|并无|(?:^|"
    r"[中里上内,])无(?![法论疑需关])|^不(?!仅|但|只|难|得)|"
    r"不是|并不|并非|不在|不包含|不包括|不含"
)
ZH_DENIES_NOTHING: Final = Pattern(
    r"(?<!不)可能(?!性)|也许|或许|说不定|如果|\bno (?:more|less|fewer)\b|\b(?:i|we) (?:do|did) not have\b|"
    r"没有(?:疑问|问题|错|足够|提供|说明|信息|明确|提到|标注|更多|其他|别的|任何信息|相关信息|办法)|不(?:一定|确定|"
    r"清楚|知道|好说|太|能确定|能判断|仅|"
    r"但|只|过)|(?:不是|并非)(?:没有|不|无)|无法|未必|不明"
)
ZH_THERE_IS: Final = Pattern(
    r"(?:在)?(?:这|该)?(?:张|幅)?(?:图|图片|图像|画面|照片|场景|视频)?(?:中|里|上|内|里面|之中)?(?:确实|的确|"
    r"是)?(?:存在|有|出现了?|可以看到|能看到|看到了?)"
    r"(?:着|了)?(?:一|某|许多|很多|一些|几)?(?!没|无|多少|几个?吗|[二两三四五六七八九十\d]|两)[^,.;。不没]{1,30}$"
)
