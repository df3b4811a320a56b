"""Rejections: does an answer say, in so many words, that the target is not on the screen?

Clear words only: "might not be there" rejects nothing, "if it is not on the screen" supposes, "it is not absent" says
the opposite, and "there is no label" is about something else. English and Chinese, one clause at a time.
"""

from __future__ import annotations

from typing import Final

from snellen.readers.cues import any_of, cues
from snellen.readers.pattern import Pattern
from snellen.readers.refusals import ANY_PICTURE
from snellen.readers.sentences import clauses, sentences

_SCREEN: Final = rf"(?:{ANY_PICTURE}|page|interface|ui|gui|window|view|display|webpage|website|app|desktop|list)"
# "Not visible in the toolbar" says nothing of the rest of the screen.
_ELSEWHERE: Final = (
    rf"(?! (?:in|on|at|within|under|inside|near|to|by|until|because) the (?!(?:[\w-]+ ){{0,2}}{_SCREEN}\b))"
)
_PLACED: Final = (
    rf"(?:visible|present|shown|displayed|available|there|found|here|listed|included|located|"
    rf"(?:anywhere )?(?:on|in|within) (?:the |this |that |my |your )?(?:[\w-]+ ){{0,2}}{_SCREEN})\b"
    rf"{_ELSEWHERE}"
)
_ADVERBS: Final = r"(?:(?:\w+ly|actually|even|just|currently|anywhere|itself|at all|be|been|being) ){0,3}"
_FIND: Final = r"(?:find|locate|see|spot|identify|detect|recogni[sz]e|discern)"
_NOT_THE_TARGET: Final = (
    rf"(?! (?:an? |the |this |that |any |its |their |your |exact |precise |specific |pixel |valid ){{0,4}}"
    rf"(?:{ANY_PICTURE}s?\b(?! (?:icon|button|link|element|tool|option))|coordinates?|positions?|locations?|how|why|"
    rf"problem|issue|difference|reason|instruction|question|file|attach\w*|label|text|ambigu\w+)\b)"
)
_REJECTS: Final = any_of(
    (
        "not. nowhere. & is. are. was. were. does. do. did.",
        rf"\b(?:is|are|was|were) (?:not|nowhere) {_ADVERBS}{_PLACED}"
        rf"|\b(?:does|do|did) not {_ADVERBS}(?:exist\b{_ELSEWHERE}|appear\b(?! to\b){_ELSEWHERE}|"
        rf"appear to (?:be {_ADVERBS}{_PLACED}|exist)|"
        rf"seem to (?:be {_ADVERBS}{_PLACED}|exist)|occur\b)",
    ),
    (
        "cannot. not. & be. found.",
        r"\b(?:cannot|could not|can not) be (?:\w+ly )?(?:found|located|seen|identified|detected|spotted)\b"
        r"|\bnot (?:been )?found\b(?! (?:in|under|inside) the (?:menu|tool|side|status|nav))",
    ),
    (
        "absent. missing. nonexistent. existent. gone.",
        r"\b(?:is|are|was|were|seems|appears to be) (?:\w+ly )?(?:absent|missing|non-?existent)\b",
    ),
    ("nowhere.", r"\bnowhere to be (?:found|seen)\b"),
    (
        "such match corresponding.",
        r"\bno (?:such|match(?:ing|es)?|corresponding) ?(?:[\w-]+ ){0,4}?(?:[\w_-]+)?",
    ),
    (
        "nothing. none.",
        rf"\b(?:nothing|none of (?:the|these|them)[^.;]{{0,40}})\b[^.;]{{0,50}}\b(?:match\w*|correspond\w*|fits?|"
        rf"satisf\w+|"
        rf"labell?ed|named|called|on (?:the|this) {_SCREEN})\b",
    ),
    (
        "no. not. & there.",
        r"\bthere (?:is|are|was|were) (?:\w+ly )?(?:no|not an?|not any|not)\b [^.;]{1,100}",
    ),
    (
        "cannot. not. unable. failed.",
        rf"\b(?:i|we)(?: am| are| was| were| have)? (?:cannot|could not|do not|did not|not able to|unable to|"
        rf"failed to|not) "
        rf"{_ADVERBS}(?:{_FIND}|found|seen|located)\b{_NOT_THE_TARGET}"
        rf"|\b(?:unable|not able|failed|not possible|impossible) to {_ADVERBS}{_FIND}\b{_NOT_THE_TARGET}"
        rf"|^(?:sorry, )?(?:cannot|could not|did not) {_ADVERBS}{_FIND}\b{_NOT_THE_TARGET}",
    ),
    (
        "not. no. lacks. & contain show have has include display contains shows includes displays. lacks.",
        rf"\b{_SCREEN}\b[^.;:]{{0,24}} (?:(?:does|do) not {_ADVERBS}(?:contain|show|have|include|display|feature)|"
        rf"(?:contains|shows|has|includes|displays) (?:no|neither)|lacks)\b [^.;]{{1,80}}",
    ),
    (
        "no.",
        rf"(?:^|^(?:but|and|so|as|since|because|however),? )no (?!doubt|problem|need|matter|one\b|"
        rf"longer)[^.;:]{{1,80}}\b(?:is|are|was|were|exists?|found|visible|present|detected|match\w*|corresponds?|"
        rf"fits?|"
        rf"(?:on|in) (?:the|this) {_SCREEN})\b",
    ),
    (
        "absent. nonexistent. existent. unfound. found. such. present. element.",
        r"^(?:the )?(?:answer|result|target|status|element)?[ :=-]*(?:is )?(?:absent|non-?existent|not[ _-]?(?:found|"
        r"present|visible|exist(?:ing|ent)?)|"
        r"no such element|no element|element not found|target not found|no target)[.!]*$",
    ),
    r"(?:目标|元素|图标|按钮|控件|对象|选项|输入框|链接|图片|该|此|它|其|所[描要指述]|要找的?)[^,。;!?]{0,24}"
    r"(?:(?<!是)不存在|(?<!是)不在(?:这个|这张|该|此|本|当前)?(?:屏幕|界面|页面|截图|画面|图|窗口)|(?:并未|"
    r"未)(?:出现|找到|显示|发现)|"
    r"没有(?:出现|找到|显示)|缺失|找不到|看不到)"
    r"|(?:屏幕|界面|页面|截图|图像|图片|图|画面|窗口|列表)(?:上|中|里|内|当中|之中)?(?:面)?(?:并|也|都|确实|根本|中|"
    r"均)?"
    r"(?:没有|不存在|无(?!法)|未(?:找到|发现|显示|出现|包含|见)|找不到|看不到|不包含|不含)[^,。;!?]{0,40}"
    r"|(?:找|寻找|查找|看|见|定位)不到[^,。;!?]{0,30}"
    r"|(?:未能?|没有?|没能|无法|不能|未曾)(?:能)?(?:在[^,。;!?]{1,16})?(?:找到|发现|看到|见到|定位到?|检测到|识别到|"
    r"匹配到)(?!坐标|位置|具体|准确|图片|图像|截图|屏幕)"
    r"[^,。;!?]{0,30}"
    r"|不存在[^,。;!?]{0,30}"
    r"|没有(?:这个|这样的|该|此|所|目标|对应|相应|符合|匹配|任何|名为|叫)[^,。;!?]{0,30}"
    r"|没有[^,。;!?]{1,24}(?:图标|按钮|元素|控件|选项|输入框|链接|菜单|入口)"
    r"|无(?:此|该|对应|匹配|符合)[^,。;!?]{0,16}(?:元素|目标|按钮|图标|控件|项)"
    r"|^(?:答案?|结果|目标)?[:为是 ]*(?:无|没有|不存在|未找到|找不到|无此元素|不在屏幕上)[。.!]*$",
)
_HEDGES: Final = any_of(
    (
        "might. may. perhaps. maybe. possibly. probably. likely. could. seems. unsure. sure. certain. unclear. "
        "uncertain. "
        "if. whether. unless. should. case. suppose assuming. when. hard. difficult.",
        r"\b(?:might|may|perhaps|maybe|possibly|probably|likely|could (?:be|well|have been)|unsure|"
        r"not (?:entirely |quite |completely |fully )?(?:sure|certain|clear)|unclear|uncertain|if|whether|unless|"
        r"should (?:it|the)|in case|suppos\w+|assuming|when)\b",
    ),
    r"可能|也许|或许|大概|似乎|好像|不确定|不清楚|如果|若|假如|假设|倘若|要是|是否|除非|不一定|未必|有没有|存不存在",
)
_DENIED: Final = any_of(
    (
        "not. never. no. wrong. false. incorrect. untrue. hardly. deny. cannot.",
        r"\b(?:not|never|hardly|far from) (?:\w+ly )?(?:absent|missing|non-?existent|without)\b"
        r"|\b(?:is not|it is not|not) (?:true|the case|correct|right|that|as if|to say)\b"
        r"|\b(?:wrong|false|incorrect|untrue) (?:that|to say|to claim|to conclude)\b"
        r"|\b(?:cannot|not|never) (?:say|claim|conclude|mean|imply)\b(?=[^.;]{0,40}\b(?:not|no|absent|missing)\b)"
        r"|\bdoes not (?:not|fail to) ",
    ),
    r"(?:不是|并非|并不是|不能说|没有说|不意味着|不代表|不等于|而非)(?:说|指)?[^,。;!?]{0,10}(?:不存在|找不到|没有|"
    r"不在|缺失|未找到|看不到)",
)
_AT_FIRST: Final = Pattern(r"\b(?:at first|initially|at first glance|at first sight)\b|起初|一开始|最初|乍一?看|第一眼")
_SOMETHING_ELSE: Final = Pattern(
    r"\b(?:no|not an?|not any|any) (?:[\w'-]+ ){0,2}?(?:doubt|need|problem|ambigu\w+|other|others|more|further|"
    r"second|duplicates?|"
    r"overlap\w*|confusion|issues?|differences?|reason|question|way|indication|change|longer|additional|"
    r"another|similar|conflict)\b"
    r"|\b(?:is|are) no (?:longer|different)\b|(?:没有|不存在|无)(?:任何)?(?:其他|其它|别的|歧义|疑问|问题|重复|区别|"
    r"变化|必要|第二|更多|冲突|另)"
)
_PART: Final = (
    r"(?:labels?|texts?|captions?|titles?|names?|tooltips?|badges?|borders?|shadows?|words?|outlines?|backgrounds?|"
    r"colou?rs?|underlines?|descriptions?|placeholders?|hints?)"
)
# What has no label, or a label that is not shown, is there; "no button with the label X" is about the button.
_PART_MISSING: Final = Pattern(
    rf"\b(?:no|not an?|not any|not have an?|not show an?|any|a) (?:[\w'-]+ ){{0,3}}?{_PART}\b(?! (?:button|icon|"
    rf"field|box|element|link|input|_))"
    rf"|\b(?:label|text|caption|title|name|tooltip|badge)s? (?:is|are|was|were|does|do|did) not\b"
    r"|(?:没有|无|不存在|未显示|没有显示)(?:任何|明确|具体)?的?(?:文字|文本|标签|标题|名称|提示|边框|说明|"
    r"字样){1,2}(?![^,。;!?]{0,12}(?:按钮|图标|元素|控件|输入框|链接|选项))"
)
_MAY_REJECT: Final = Pattern(
    r"\b(?:no|not|cannot|can't|couldn't|nothing|none|nowhere|absent|missing|unable|failed|lacks|dont|cant|"
    r"non-?existent)\b|n['’]t\b"
    r"|not_|[不没无未缺]",
    2,
)
_QUOTED: Final = Pattern(r"\"[^\"\n]{1,60}\"|“[^”\n]{1,60}”|「[^」\n]{1,60}」|『[^』\n]{1,60}』|《[^》\n]{1,60}》")
_NAMED: Final = Pattern(r"(?<![\w'])'[^'\n]{1,60}'(?!\w)")


def rejects(text: str, *, placed: bool = False) -> bool:
    """Whether a passage says that the target is not on the screen.

    Args:
        text: a line or so of prose.
        placed: whether a place is given as well: then what only a part of the target lacks (a label) is left out.

    >>> rejects("The target is not on the screen."), rejects("It might not be on the screen.")
    (True, False)
    >>> rejects("目标不存在。"), rejects("目标不是不存在。")
    (True, False)
    """
    if not _MAY_REJECT.search(text):
        return False
    bare = text.strip().strip("\"'“”‘’「」`*")
    for sentence in sentences(_NAMED.sub("_", _QUOTED.sub("_", bare))):
        if sentence.text.endswith("?") or not _REJECTS.may_stand(sentence.seen):
            continue
        doubted = False
        for clause in clauses(sentence.text, sentence.seen):
            seen = cues(clause)
            doubted = doubted or _HEDGES.stands_in(clause, seen)
            if not doubted and _rejects(clause, seen, placed):
                return True
    return False


def _rejects(clause: str, seen: int, placed: bool) -> bool:
    found = _REJECTS.search(clause, seen)
    if found is None or _DENIED.stands_in(clause, seen) or _AT_FIRST.search(clause):
        return False
    if _SOMETHING_ELSE.search(clause):
        return False
    return not (placed and _PART_MISSING.search(clause))
