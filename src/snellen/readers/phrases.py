"""The words by which texts decline, deny, guess and offer: one phrase a line, English first, then Chinese.

All patterns expect the spelling of `snellen.readers.sentences`: lower case, ``cannot`` and ``is not`` spelt out,
half-width commas and colons. Gaps are bounded, so that a search is linear in the length of the text.
"""

from __future__ import annotations

import re


def any_of(*phrases: str) -> re.Pattern[str]:
    """One pattern that matches where any of the phrases does."""
    return re.compile("|".join(f"(?:{phrase})" for phrase in phrases))


_ADVERBS = (
    r"(?:(?:\w+ly|even|really|just|be|at all|simply|quite|yet|still|help|anything|for sure|with certainty) ){0,3}"
)
_PICTURE = r"(?:chart|figure|plot|graph|diagram|legend|table|panel|subplot|axis|axes|heat ?map|map)"
_ANY_PICTURE = rf"(?:{_PICTURE}|image|picture|photo|screenshot|screen|visualization|visual)"

_LEARN = (
    r"(?:determin|tell\b|answer|infer|identif|read\b|see\b|find\b|give\b|given\b|provid|verif|assess|extract|judge|"
    r"make out|made out|discern|deduc|calculat|comput|conclud|establish|locat|confirm|derive|ascertain|specif|comment|"
    r"respond|know\b|known\b|say\b|said\b|distinguish|recogni[sz]e|measur|obtain|estimat|assist|help\b|interpret|"
    r"draw (?:any|a|such|meaningful|that)\b|make (?:a|an|any|that|this|such)\b|offer|access|detect|quantif|pinpoint|"
    r"explain|use\b|be sure|be certain|sure\b|certain\b|speculat|guess|attribut|link\b|relate|describe|discuss|"
    r"evaluat|predict|forecast|compar|name\b|list\b|resolve|decide|get\b|supply|work (?:it |that |this )?out|"
    r"figure (?:it |that |this )?out|worked out|figured out|done from|clear\b)"
)
_UNABLE = (
    r"(?:cannot|could not|(?:not able|unable|not possible|impossible|not feasible|hard|difficult|not enough|"
    r"insufficient|"
    r"not sufficient|not in a position) to|no (?:\w+ )?(?:way|means|basis) (?:of|to|for)|decline to|"
    r"refuse to|not going to|rather not|do not (?:want|wish) to|will not be able to|would not be able to)"
)
_INFORMATION = (
    r"(?:information|info|data|details?|values?|labels?|legends?|evidence|indications?|mentions?|references?|records?|"
    r"entry|entries|categor(?:y|ies)|columns?|rows?|series|annotations?|context|basis|units?|scale|breakdown|"
    r"statistics|measurements?|descriptions?|clues?|years?|dates?|caption|sources?|metadata|notes?|numbers|figures)"
)

DECLINES = any_of(
    rf"\b{_UNABLE} {_ADVERBS}{_LEARN}",
    r"\b(?:i|we|you|one)\b (?:\w+ly )?do(?:es)? not (?:\w+ly )?know\b|^do not know\b",
    r"\bwould (?:only |just |merely )?be (?:pure |mere |a |just )*(?:speculati\w+|guess\w*|conjecture)\b",
    r"\b(?:do|does|did) not have (?:any |enough |sufficient |access|the (?:data|information|ability)|information|data)",
    r"\bhave no (?:idea|way|means|information|data|basis|knowledge)\b",
    r"\b(?:is|are) (?:not|un) ?(?:answerable|determinable|computable|knowable|discernible|inferable)\b",
    r"\bany (?:[\w-]+ ){0,3}(?:interpretation|explanation|analysis|discussion|conclusion|inference|comparison|answer|"
    r"link)s?\b"
    r"[^.;]{0,120}\b(?:invalid|unfounded|unsupported|speculati\w+|hypothetical|conjecture|not (?:be )?(?:valid|"
    r"supported|"
    r"applicable|meaningful))\b",
    r"\b(?:unanswerable|indeterminable|undeterminable|indeterminate|unknowable)\b",
    r"\b(?:not enough|insufficient|inadequate|too little|lack of|without (?:more|further|additional)) (?:\w+ ){0,2}"
    r"(?:information|info|data|context|detail|evidence)",
    r"\b(?:am|are|is) not (?:\w+ly |quite |too |so )?(?:sure|certain|clear)\b",
    r"\btoo (?:\w+ (?:and|or) )?(?:blurry|blurred|small|tiny|faint|dark|unclear|low|grainy|noisy|crowded|cluttered|"
    r"vague)\b[^.;]{0,40}\bto\b",
    r"\b(?:is|are|was|were) not (?:\w+ly |even |quite ){0,2}(?:visible|legible|readable)\b",
    r"\bi (?:will |would )?(?:need|require) (?:either|the|more|additional|to see|to know|you to)\b",
    r"\b(?:uncertain|unsure)\b(?! ?(?:region|range|band|interval))",
    r"\bno (?:\w+ ){0,2}(?:answer|inference|conclusion|comparison|explanation|value|determination|statement)s? "
    r"(?:about [^.;]{0,60} )?(?:can|could|may) be\b",
    r"^(?:(?:sorry|answer|response)[,.:]? ?)?(?:it is |that is )?(?:unknown|n/?a|not applicable|unclear|unsure|"
    r"no idea|not known|"
    r"not clear|none given|impossible)(?: (?:from|in|based|to)\b[^.;]{0,80})?[.!]?$",
    r"\b(?:answer|value|number|result|it|this|that)\b(?: [^.;,]{0,40})? (?:is|remains) (?:therefore |thus |simply |"
    r"currently )?"
    r"(?:unknown|unclear|not (?:known|clear|available|knowable))\b",
    r"\b(?:need|requires?|requir\w+) (?:\w+ )?(?:more|additional|further) (?:information|data|context|details?)\b",
    r"^as an? (?:\w+ ){0,2}(?:ai|model)\b[^.]{0,40}\bcannot\b|\bi (?:cannot|am unable to) (?:\w+ly )?(?:view|open|"
    r"access|process|load|display)\b",
    r"\b(?:must|have to|need to|would) (?:decline|abstain|pass\b|refrain)",
    r"\b(?:question|this|that|it) (?:is|seems|appears) (?:therefore |simply )?(?:impossible|"
    r"not possible)\b(?! (?:that|for)\b)",
    r"(?:无法|没法|没办法|没有办法|无从|难以|不足以)(?!否认|忽视|忽略|避免|抗拒|替代|想象|置信)",
    r"不(?:能|可能|可)(?:够|直接|准确地?|精确地?|可靠地?|仅|仅仅|单|单凭|凭|从|根据|由|通过|据此|明确|[^,。;!?]{0,12})"
    r"(?:确定|判断|回答|得知|看出|看到|识别|读取|读出|提供|推断|推测|推出|计算|得出|知道|给出|辨认|作答|解答|估计|断定|确认|获取|获得)",
    r"不(?:能|可)(?:确定|判断|回答|得知|看出|识别|读取|提供|推断|计算|得出|给出|作答|确认)",
    r"不得而知|说不(?:准|清|好)|不好说|很难说|(?:判断|回答|确定|看|读|答|辨认|分辨|推断)不(?:了|出|清)",
    r"(?:信息|数据|资料|依据|证据|线索|条件)(?:并)?(?:不足|不够|不充分|有限)|没有(?:足够|充分)的?",
    r"不知道|不清楚|不(?:太|是很|能|敢)?确定|不了解|未知|不详|拒绝回答|不予回答|不便回答|(?:不|没)有答案",
)
"""Says that the question cannot be answered, or that the writer does not know."""

_PRESENT = (
    r"(?:show\w*|includ\w+|contain\w*|provid\w+|specif\w+|indicat\w+|mention\w*|present(?:ed|s)?|report\w*|giv\w+|"
    r"list\w*|display\w*|state\w*|label\w*|depict\w*|break\b|broken|cover\w*|feature\w*|plot(?:ted)?|available|"
    r"appear\b(?! (?:to|among)\b)|"
    r"written|marked|annotated|identif\w+|represent\w*|suppl\w+|disclos\w+|reveal\w*|record\w*|encode\w*|"
    r"name\w*|referenc\w*|defin\w+|distinguish\w*|separate\w*|say\b|tell\b|exist|found|drawn|"
    rf"(?:in|on) (?:the|this|that|your) {_ANY_PICTURE}|have (?:any|data|information|such|an? (?:\w+ ){{0,2}}(?:label|"
    rf"legend|entry|column|category|scale))\b|"
    r"allow (?:an?|any|for|us|me|one)\b|permit\b|part of the|among the)"
)
ABSENT = any_of(
    rf"\b(?:do|does|did|is|are|was|were|has|have|been|being) not (?:(?:\w+ly|any|been|itself|even|being|actually|"
    rf"there|directly) ){{0,3}}{_PRESENT}",
    r"\bbut not (?:the|any|a|an|which|what|how|who|when|where)\b",
    r"\bnot (?:\w+ly )?(?:shown|provided|available|given|included|listed|specified|mentioned|labell?ed|depicted|"
    r"plotted|indicated|stated|displayed|reported|represented|marked|disclosed|found (?:in|on)|present (?:in|on))\b",
    rf"\b(?:there (?:is|are|was|were)|has|have|contain(?:s|ed)?|shows?|includes?|provides?|gives?|offers?|carries|see|"
    rf"find|"
    rf"displays?|lists?|with) (?:absolutely |simply )?(?:no|not any) (?:[^.;:]{{0,60}}\b)?{_INFORMATION}\b",
    r"\bthere (?:is|are|was|were) (?:simply |actually )?(?:no|not an?|not any)\b(?! (?:\w+ ){0,2}(?:changes?|doubt|"
    r"need|question|difference|"
    r"correlation|relation|relationship|trends?|overlaps?|outliers?|gaps?|increase|decrease|way|pattern|variation|"
    r"effect)\b)"
    rf"[^.;]{{0,80}}?\b(?:(?:in|on|within|among) [^.;]{{0,30}}\b{_PICTURE}|shown|plotted|depicted|listed|labell?ed|"
    rf"given|mentioned|provided|specified)\b",
    rf"\bthere (?:is|are) (?:no|not an?) [^.;,]{{0,40}}\b(?:line|curve|bar|marker|point|panel|subplot|group|sample|"
    rf"model|axis|item|product|country|company)s? "
    rf"(?:labell?ed|called|named|for|with|of|marked|showing)\b[^.;]{{0,60}}\b{_PICTURE}\b|\bthere (?:is|are) (?:no|"
    rf"not an?) [^.;,]{{0,40}}\b(?:labell?ed|called|named|marked)\b",
    r"\bno (?:such|information|data|mention|indication|details?|labels?|legend|evidence)\b",
    rf"\bno (?:[\w'\"/()-]+ ){{1,4}}(?:is|are|was|were|appears?|exists?)\b[^.;]{{0,30}}\b(?:shown|present|plotted|"
    rf"drawn|listed|"
    rf"labell?ed|given|visible|there|available|included|specified|mentioned|reported|in the {_PICTURE})\b",
    r"\b(?:do|does|did) not (?:see|find|observe|notice|spot|detect)\b(?! (?:\w+ ){0,2}(?:change|difference|trend|"
    r"correlation|reason|why)\b)",
    rf"\b(?:lacks?|lacking|omits?|without) (?:(?:any|a|an|the|clear|visible|"
    rf"specific) ){{0,3}}(?:[\w/-]+ ){{0,3}}(?:{_INFORMATION}|labell?ed)\b",
    r"\b(?:is|are|was|were) (?:missing|absent|omitted)\b|\bmissing from\b",
    r"\bnothing\b[^.;]{0,60}\b(?:indicat\w+|mention\w*|about|says?|shows?|tells?|label\w*|specif\w+|relat\w+|"
    r"refers?)\b",
    r"\b(?:shows?|contains?|includes?|has|have|gives?|mentions?|provides?|displays?|lists?) neither\b",
    r"\bneither\b[^.;]{0,80}\b(?:indicat\w+|mention\w*|shows?|labell?\w*|specif\w+|provid\w+|"
    r"contain\w*|includ\w+|gives?|says?)\b",
    r"\bnone of (?:the|these|them|those)[^.;]{0,60}\b(?:labell?ed|mentions?|contains?|includes?|refers?|relates?|"
    r"is about)\b",
    r"没有(?:任何|明确|具体|直接|相关|这样的|这个|这类|这种|该|此|给出|提供|显示|展示|标注|标明|标出|提到|提及|涉及|列出|说明|包含|"
    r"包括|指明|注明|呈现|出现|体现|写明|关于|有关|名为|叫做?|区分|按)",
    r"没有[^,。;!?]{0,30}(?:信息|数据|标签|图例|标注|说明|记录|内容|字样|这一项|类别|曲线|系列|单位|[红绿蓝黄紫黑橙]线|虚线|实线|柱子?)",
    r"(?:图例|图表|表格?|坐标轴|横轴|纵轴|面板)(?:里|中|上)?(?:面)?(?:也|并|根本|都)?没有(?!变化|差异|区别|异常|重叠)",
    r"(?:^|[图中里上,也])没有(?!超过|达到|高于|低于|等于|小于|大于|多于|少于|突破|跌破|任何变)[^,。;!?\da-z]{0,4}(?:\d|[a-z])",
    r"(?:未|并未|尚未|均未|都未)(?:明确|具体|直接|被|作|予|加以|曾)?(?:给出|提供|显示|展示|标注|标明|标出|提到|提及|涉及|列出|说明|包含|"
    r"包括|指明|注明|呈现|出现|体现|写明|披露|区分|划分|绘制|标示|找到|看到|发现)",
    r"(?:不|并不)(?:包含|包括|含有?|涉及|提供|显示|展示|存在|区分|涵盖)",
    r"(?:缺少|缺乏|缺失|无)(?:任何|相关|这|该|此|具体|关于|有关|足够|必要)?[^,。;!?]{0,12}(?:信息|数据|标签|图例|标注|说明|记录)",
    r"(?:看|找|见|查)不到|并不在(?:图|表)",
)
"""Says that what is asked for is not in the picture."""

UNRELATED = any_of(
    r"\b(?:unrelated|irrelevant|mismatch\w*|off-topic|nothing to do with|out(?:side)? of (?:the )?scope|"
    r"beyond (?:the )?scope)\b",
    r"\bnot (?:\w+ly )?(?:related|relevant|about|applicable|concerned)\b",
    r"\bno (?:relation|relevance|connection|bearing|link) (?:to|with|on|between)\b",
    r"\b(?:does|do) not (?:\w+ly )?(?:pertain|relate|correspond|apply|match|concern|address|support|bear on|tell us|"
    r"refer)\b",
    rf"\b(?:wrong|different|correct|right|another|appropriate) {_ANY_PICTURE}\b",
    rf"\b{_ANY_PICTURE} (?:that|which|with) (?:actually |clearly )?(?:shows?|contains?|lists?|includes?)\b",
    r"(?:与|和|跟|同)[^,。;!?]{0,40}(?:没有(?:任何|什么)?(?:关系|关联|联系)|没关系|不符|不匹配|不一致)",
    r"无关|不相关|毫不相干|毫无关(?:系|联)|不匹配|文不对题|超出[^,。;]{0,10}范围|(?:而|并)(?:不是|非)(?:关于)?|不是关于",
)
"""Says that the question has nothing to do with the picture."""

INSTEAD = any_of(
    r", not (?:a |an |the |any |of |about |to |for )?(?!(?:just|only|because|vice|lower|higher|more|less|"
    r"the other)\b)[a-z]",
    r"\brather than (?:a |an |any |the )?\w",
)
"""Contrasts, which in a clause about the picture says what it shows instead."""

ILLEGIBLE = any_of(
    r"\b(?:blurr?y|blurred|illegible|unreadable|low[- ]res\w*|resolution|too (?:small|tiny|faint|dense|coarse)|"
    r"zoom\w*|crop\w*|"
    r"close-?up|clearer|sharper|small (?:image|text|labels?|print|picture)|not (?:\w+ly )?(?:legible|readable))\b",
    r"模糊|看不清|不清晰|分辨率|太小|放大|更清晰",
)
"""Complains of the quality of the picture."""

FALSE_PREMISE = any_of(
    r"\b(?:premise|assumption)\b[^.;]{0,40}\b(?:false|wrong|incorrect|mistaken|flawed|not)\b",
    r"(?:前提|假设)[^,。;!?]{0,16}(?:错误|有误|不正确|不成立|不对|不符)",
)
"""Says that the question takes something false for granted: neither a refusal nor an answer by itself."""

NO_DECLINE = any_of(
    r"\b(?:no|without(?: a| any)?|beyond) (?:doubt|question)\b",
    r"\bcannot (?:be )?(?:\w+ly )?(?:deny|denied|overstate\w*|overestimate\w*|overemphasi\w*|understate\w*|"
    r"underestimate\w*|ignore\w*|miss\b|help but|"
    r"overlook\w*|be more|wait|tell (?:them|the two|these|the \w+ and) apart)",
    r"\b(?:impossible|hard|difficult) to (?:deny|overstate|miss|ignore|argue|overlook)\b",
    r"\bnot (?:impossible|unable|unknown|unclear|unrelated|irrelevant|missing|unanswerable|hard to|difficult to|only|"
    r"just)\b",
    r"\bno (?:problem|issue|wonder|surprise)\b|\bwhy not\b|\bif not\b|\bor not\b|\bwhether or not\b",
    r"并非(?:无法|不能|没有|无关|未知)|不是(?:没有|无法|不能|不知道|无关)|不难(?:看出|判断|确定|得出|发现)?|毫无疑问|无疑|没有疑问|没有问题",
    r"(?:无法|不可|不能)(?:否认|忽视|忽略)|不得不|不能不|无非|无论|没有(?:任何|明显|显著|什么)?的?(?:变化|差异|区别|增长|下降|波动|重叠|异常|影响)",
)
"""Looks like a refusal or a denial, and is none."""

AMOUNT = any_of(
    r"\b(?:about|approximately|approx|roughly|around|nearly|almost|close to|on the order of|somewhere between|"
    r"in the range|"
    r"at least|at most|just (?:under|over|below|above))\b[^.;,]{0,40}(?:\d|\b(?:one|two|three|four|five|six|seven|"
    r"eight|nine|ten|half|"
    r"a (?:third|quarter|hundred|thousand|million))\b)",
    r"[≈~≃≅∼]\s*[-+−–]?\s*[\d.]",
    r"(?:大约|约为|大概|接近|将近|差不多|约|近似)(?:是|为|在|有)?[^,。;!?]{0,10}[\d一二三四五六七八九十百千]|[\d一二三四五六七八九十百千万%][^,。;!?\d]{0,4}左右",
)
"""Names an approximate amount."""

GUESSES = any_of(
    r"\b(?:my|the|a) (?:best|closest|rough|visual|approximate|quick) (?:\w+ )?(?:guess|estimate|reading)\b",
    r"\b(?:would|'d) (?:guess|estimate|say|go with)\b|\bi (?:guess|estimate|think|believe|suspect)\b|"
    r"\beducated guess\b",
    r"\b(?:looks?|appears?|seems?) (?:like|to|about|roughly|slightly|higher|lower|larger|smaller)\b",
    r"\b(?:probably|most likely|likely|presumably|perhaps|maybe)\b",
    r"\b(?:interpolat|extrapolat)\w+|\bby eye\b|\bvisually\b",
    r"估计(?!不)|推测|猜测|我猜|猜是|应该是|应为|可能是|也许是|大概是|看起来(?:像|是)?|看上去|看样子|似乎是|很可能|大致是",
)
"""Ventures an answer."""

CONCLUDES = any_of(
    r"\b(?:the |my |final )+answer (?:is|would be|should be)\b(?! (?:not|un|that (?:it|this|the)))|\bfinal answer:",
    r"\b(?:so|thus|hence|therefore|giving|gives|equals?|which is)\b[^.;]{0,60}\d",
    r"\bit is (?:the |a |an |in |at )?\w{0,12} ?\d|\bi(?:'d| would)? (?:choose|pick)\b|\d\s*[-+−×*/÷]\s*[\d.]+\s*[=≈]",
    r"(?:答案|结果|数值|值)(?:应该|应|就)?(?:是|为|:)(?!无|未|不|没)|所以是|因此是|(?<![不只仅就都又还也而若可要算便])[是为]\d",
)
"""States an answer."""

OFFERS = any_of(
    r"\b(?:could|can|would|will) you\b|\bplease\b|\b(?:let me know|tell me|give me|upload|re-?upload)\b",
    r"(?:^|\b(?:you|to|either|or|and|could|can) )(?:paste|send|share|supply|provide)\b",
    r"\b(?:do|did) you (?:mean|have|want)\b|\bwhich (?:one|\w+) did you\b|\bwhich (?:would|do) you\b",
    r"\bi (?:can|could|will|would)\b(?! not)|\bi'd\b(?! (?:say|guess|estimate))|\bhappy to\b",
    r"\bif (?:you|your|that|this|available|needed|i had|we had)\b|\bonce (?:you|i|we)\b|\bassuming you\b",
    r"\bwith (?:the|those|a|that|more|higher|clearer) (?:[\w-]+ ){0,3}(?:data|numbers|image|crop|labels|values|"
    r"information|resolution)\b",
    r"\b(?:for example|e\.g\.|example|for instance|suppose|say,|how to|how you|in general|formulas? is|(?:formula|"
    r"steps?|method)(?=:))\b",
    r"\bto (?:compute|calculate|determine|get|answer|obtain|find|do so|do (?:that|this)|give)\b|\byou (?:can|could|"
    r"need|may|might|would|must|should|will|'d)\b",
    r"\bi (?:would )?(?:need|require)\b|\b(?:need|require)s? (?:either|the|to|a)\b|\b(?:check|consult|refer to|"
    r"look up|inspect|contact)\b",
    r"如果|若|假如|假设|倘若|请(?!问)|能否|可否|是否可以|您可以|你可以|可以提供|例如|比如|建议|需要|方法|步骤|公式|只要|一旦|上传|欢迎",
)
"""Asks for something, or says what could be done with more."""

ESTIMATE_OFFERED = any_of(
    r"\bif (?:you|it|a|an)\b[^.:;]{0,60}\b(?:estimate|approximat\w+|guess|rough\w*|visual\w*|ballpark|anyway)\b",
    r"如果[^。:;]{0,20}(?:估计|大概|大致|近似|粗略)",
)
"""Opens an estimate as if it were an offer: "if you want a rough reading: ..."."""

MEANT_OTHERWISE = any_of(
    r"\bif [^.;:]{0,60}\b(?:meant?|intended?|instead|looking for|asking)\b",
    r"如果[^。;:]{0,20}(?:指|是想|本意|想问)",
)
"""Answers another question than the one asked, and says so."""

HOW_TO = any_of(
    r"\bhow (?:to|you|i|one)\b|\byourself\b|\bquick(?:ly)? ways?\b|\bsteps?\b|\bsnippets?\b|\b(?:method|procedure|"
    r"recipe|in general)\b",
    r"方法|步骤|公式|如何|怎样|自行",
)
"""Introduces an explanation of how the answer could be found."""

ESTIMATE_GIVEN = any_of(
    r"\b(?:visual|rough|quick|best|approximate|my) (?:\w+ )?(?:estimate|guess|reading)\b[^.;]{0,200}\d",
    r"(?:估计|估算|粗略|目测)[^。;]{0,40}\d",
    r"\bfinal answer\b|答案(?:是|为)",
)
"""Gives an estimate in so many words."""

PICTURE = re.compile(rf"\b(?:{_ANY_PICTURE}s?|axis|axes|columns?|panels?|these|those)\b|图|轴")

DESCRIBES = any_of(
    rf"^(?:(?:and|but|so|note:?|note that|first|here|in fact|actually|instead|as|because|since|while|although|though|"
    rf"it (?:looks|seems) like|"
    rf"what you have|unfortunately),? )*"
    rf"(?:the|this|these|those|that|your|both|it|its|they|all|only)\b[^.;]{{0,80}}?\b(?:{_ANY_PICTURE}s?|it|they|this|"
    rf"that|columns?|categories|"
    r"groups?|labels?|curves?|markers?|panels?)\b[^.;]{0,60}?\b(?:shows?|showing|shown|depicts?|displays?|is|are|was|"
    r"were|presents?|illustrates?|plots?|"
    r"compares?|only|has|have|contains?|includes?|appears?|looks?|seems?|provides?|covers?|reports?|lists?|goes|"
    r"focus\w*|concerns?|gives?)\b",
    r"^(?:(?:and|but|so|because|as|since) )?(?:it|they|this|that|these|those) (?:\w+ly |just |all |both )?(?:shows?|"
    r"depicts?|displays?|presents?|"
    r"illustrates?|plots?|compares?|only|contains?|includes?|covers?|reports?|lists?)\b",
    r"^it (?:looks|appears|seems)\b[^.;]{0,60}\b(?:plot|chart|figure|graph|map|diagram|surface)\b",
    r"^(?:但|不过|因为|而|并且)?(?:[该这此本](?:张|幅|个)?[图表]|图|从图|整张|它|这(?=是|只|显|展))[^。;]{0,30}(?:显示|展示|是|描述|呈现|包含|列出|给出|标注|描绘|反映|"
    r"关于|只有)",
)
"""Says what the picture is or shows."""

PREAMBLE = any_of(
    r"^i am (?:sorry|afraid)|^(?:sorry|unfortunately|apologies|thanks?|great|good|sure|okay|ok|well|hmm|hello|hi)\b",
    r"^(?:this|that|it) is (?:an? )?(?:interesting|good|great|tricky|trick)\b|^(?:let us|let's|let me)\b",
    r"^i (?:have )?(?:looked|examined|checked|reviewed|understand|appreciate|analy[sz]ed|see)\b",
    r"^(?:looking|based on|according|upon|after|having|regarding|as an? |from the|in the|the question|"
    r"you (?:are )?ask)[^.;]*$",
    r"^(?:short answer|answer|response|explanation|reason|analysis|observation|note|question)\b[^.;]{0,3}$|:$",
    r"^(?:(?:很|非常|十分)?(?:抱歉|遗憾)|对不起|不好意思|您好|你好|好的|根据|从|关于|这个问题|该问题|分析|说明|观察|让我|我们?(?:来|仔细)|首先|答:?$|回答)",
)
"""Comes before what is said."""

INEXACT = any_of(
    r"\b(?:exact|precise|accurate|100|absolute|full|complete|total)(?:ly)?\b|\bbe (?:sure|certain|definitive)\b|"
    r"\bnot (?:\w+ )?(?:sure|certain)\b",
    r"精确|准确(?!无法)|确切|百分之百|百分百|完全确定|具体数值",
)
"""Declines exactness only."""
