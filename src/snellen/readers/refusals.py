"""The words by which texts decline, and deny that something is in the picture: English first, then Chinese.

A phrase is a pattern with its cues (see `snellen.readers.cues`). All patterns expect the spelling of
`snellen.readers.sentences`: lower case, ``cannot`` and ``is not`` spelt out, half-width commas and colons. Gaps are
bounded, so that a search is linear in the length of the text.
"""

from __future__ import annotations

from snellen.readers.cues import any_of

_ADVERBS = (
    r"(?:(?:\w+ly|even|really|just|be|at all|simply|quite|yet|still|help|anything|for sure|with certainty) ){0,3}"
)
_PICTURE = r"(?:chart|figure|plot|graph|diagram|legend|table|panel|subplot|axis|axes|heat ?map|map)"
ANY_PICTURE = rf"(?:{_PICTURE}|image|picture|photo|screenshot|screen|visualization|visual)"
"""What a picture is called, as a pattern."""

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
    (
        "cannot. not. unable. impossible. hard. difficult. insufficient. no. decline. refuse.",
        rf"\b{_UNABLE} {_ADVERBS}{_LEARN}",
    ),
    ("know.", r"\b(?:i|we|you|one)\b (?:\w+ly )?do(?:es)? not (?:\w+ly )?know\b|^do not know\b"),
    (
        "speculati guess conjecture.",
        r"\bwould (?:only |just |merely )?be (?:pure |mere |a |just )*(?:speculati\w+|guess\w*|conjecture)\b",
    ),
    (
        "have. & not.",
        r"\b(?:do|does|did) not have (?:any |enough |sufficient |access|the (?:data|information|ability)|"
        r"information|data)",
    ),
    ("have. & no.", r"\bhave no (?:idea|way|means|information|data|basis|knowledge)\b"),
    (
        "not un & is. are.",
        r"\b(?:is|are) (?:not|un) ?(?:answerable|determinable|computable|knowable|discernible|inferable)\b",
    ),
    (
        "any. & invalid. unfounded. unsupported. speculati hypothetical. conjecture. not.",
        r"\bany (?:[\w-]+ ){0,3}(?:interpretation|explanation|analysis|discussion|conclusion|inference|"
        r"comparison|answer|"
        r"link)s?\b"
        r"[^.;]{0,120}\b(?:invalid|unfounded|unsupported|speculati\w+|hypothetical|conjecture|not (?:be )?(?:valid|"
        r"supported|"
        r"applicable|meaningful))\b",
    ),
    (
        "unanswerable. indeterminable. undeterminable. indeterminate. unknowable.",
        r"\b(?:unanswerable|indeterminable|undeterminable|indeterminate|unknowable)\b",
    ),
    (
        "enough. insufficient. inadequate. little. lack. without. & info data context detail evidence",
        r"\b(?:not enough|insufficient|inadequate|too little|lack of|without (?:more|further|additional)) (?:\w+ ){0,2}"
        r"(?:information|info|data|context|detail|evidence)",
    ),
    ("not. & sure. certain. clear.", r"\b(?:am|are|is) not (?:\w+ly |quite |too |so )?(?:sure|certain|clear)\b"),
    (
        "too.",
        r"\btoo (?:\w+ (?:and|or) )?(?:blurry|blurred|small|tiny|faint|dark|unclear|low|grainy|noisy|crowded|cluttered|"
        r"vague)\b[^.;]{0,40}\bto\b",
    ),
    (
        "not. & visible. legible. readable.",
        r"\b(?:is|are|was|were) not (?:\w+ly |even |quite ){0,2}(?:visible|legible|readable)\b",
    ),
    (
        "need. require. & i.",
        r"\bi (?:will |would )?(?:need|require) (?:either|the|more|additional|to see|to know|you to)\b",
    ),
    ("uncertain. unsure.", r"\b(?:uncertain|unsure)\b(?! ?(?:region|range|band|interval))"),
    (
        "no. & can. could. may.",
        r"\bno (?:\w+ ){0,2}(?:answer|inference|conclusion|comparison|explanation|value|determination|statement)s? "
        r"(?:about [^.;]{0,60} )?(?:can|could|may) be\b",
    ),
    (
        "unknown. n. na. not. unclear. unsure. no. none. impossible. sorry answer response",
        r"^(?:(?:sorry|answer|response)[,.:]? ?)?(?:it is |that is )?(?:unknown|n/?a|not applicable|unclear|unsure|"
        r"no idea|not known|"
        r"not clear|none given|impossible)(?: (?:from|in|based|to)\b[^.;]{0,80})?[.!]?$",
    ),
    (
        "unknown. unclear. not. & is. remains.",
        r"\b(?:answer|value|number|result|it|this|that)\b(?: [^.;,]{0,40})? (?:is|remains) (?:therefore |thus |simply |"
        r"currently )?"
        r"(?:unknown|unclear|not (?:known|clear|available|knowable))\b",
    ),
    (
        "need. requir & more. additional. further.",
        r"\b(?:need|requires?|requir\w+) (?:\w+ )?(?:more|additional|further) (?:information|data|context|details?)\b",
    ),
    (
        "cannot. unable. & as. i.",
        r"^as an? (?:\w+ ){0,2}(?:ai|model)\b[^.]{0,40}\bcannot\b|\bi (?:cannot|am unable to) (?:\w+ly )?(?:view|open|"
        r"access|process|load|display)\b",
    ),
    ("decline abstain pass. refrain", r"\b(?:must|have to|need to|would) (?:decline|abstain|pass\b|refrain)"),
    (
        "impossible. possible. & is. seems. appears.",
        r"\b(?:question|this|that|it) (?:is|seems|appears) (?:therefore |simply )?(?:impossible|"
        r"not possible)\b(?! (?:that|for)\b)",
    ),
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
    rf"(?:in|on) (?:the|this|that|your) {ANY_PICTURE}|have (?:any|data|information|such|an? (?:\w+ ){{0,2}}(?:label|"
    rf"legend|entry|column|category|scale))\b|"
    r"allow (?:an?|any|for|us|me|one)\b|permit\b|part of the|among the)"
)
ABSENT = any_of(
    (
        "not. & do. does. did. is. are. was. were. has. have. been. being.",
        rf"\b(?:do|does|did|is|are|was|were|has|have|been|being) not (?:(?:\w+ly|any|been|itself|even|being|actually|"
        rf"there|directly) ){{0,3}}{_PRESENT}",
    ),
    ("but. & not.", r"\bbut not (?:the|any|a|an|which|what|how|who|when|where)\b"),
    (
        "not. & shown. provided. available. given. included. listed. specified. mentioned. "
        "label depicted. plotted. indicated. stated. displayed. reported. represented. marked. "
        "disclosed. found. present.",
        r"\bnot (?:\w+ly )?(?:shown|provided|available|given|included|listed|specified|mentioned|labell?ed|depicted|"
        r"plotted|indicated|stated|displayed|reported|represented|marked|disclosed|found (?:in|on)|"
        r"present (?:in|on))\b",
    ),
    (
        "no. not. & there. has. have. contain show include provide give offer carries. see. find. display list with.",
        rf"\b(?:there (?:is|are|was|were)|has|have|contain(?:s|ed)?|shows?|includes?|provides?|gives?|offers?|"
        rf"carries|see|"
        rf"find|"
        rf"displays?|lists?|with) (?:absolutely |simply )?(?:no|not any) (?:[^.;:]{{0,60}}\b)?{_INFORMATION}\b",
    ),
    (
        "no. not. & there.",
        r"\bthere (?:is|are|was|were) (?:simply |actually )?(?:no|not an?|not any)\b(?! (?:\w+ ){0,2}(?:changes?|doubt|"
        r"need|question|difference|"
        r"correlation|relation|relationship|trends?|overlaps?|outliers?|gaps?|increase|decrease|way|pattern|variation|"
        r"effect)\b)"
        rf"[^.;]{{0,80}}?\b(?:(?:in|on|within|among) [^.;]{{0,30}}\b{_PICTURE}|shown|plotted|depicted|listed|labell?ed|"
        rf"given|mentioned|provided|specified)\b",
    ),
    (
        "no. not. & there.",
        rf"\bthere (?:is|are) (?:no|not an?) [^.;,]{{0,40}}\b(?:line|curve|bar|marker|point|panel|subplot|group|sample|"
        rf"model|axis|item|product|country|company)s? "
        rf"(?:labell?ed|called|named|for|with|of|marked|showing)\b[^.;]{{0,60}}\b{_PICTURE}\b|\bthere (?:is|are) (?:no|"
        rf"not an?) [^.;,]{{0,40}}\b(?:labell?ed|called|named|marked)\b",
    ),
    (
        "no. & such. information. data. mention. indication. detail label legend. evidence.",
        r"\bno (?:such|information|data|mention|indication|details?|labels?|legend|evidence)\b",
    ),
    (
        "no. & is. are. was. were. appear exist",
        rf"\bno (?:[\w'\"/()-]+ ){{1,4}}(?:is|are|was|were|appears?|exists?)\b[^.;]{{0,30}}\b(?:shown|present|plotted|"
        rf"drawn|listed|"
        rf"labell?ed|given|visible|there|available|included|specified|mentioned|reported|in the {_PICTURE})\b",
    ),
    (
        "not. & see. find. observe. notice. spot. detect.",
        r"\b(?:do|does|did) not (?:see|find|observe|notice|spot|detect)\b(?! (?:\w+ ){0,2}(?:change|difference|trend|"
        r"correlation|reason|why)\b)",
    ),
    (
        "lack. lacks. lacking. omit. omits. without.",
        rf"\b(?:lacks?|lacking|omits?|without) (?:(?:any|a|an|the|clear|visible|"
        rf"specific) ){{0,3}}(?:[\w/-]+ ){{0,3}}(?:{_INFORMATION}|labell?ed)\b",
    ),
    ("missing. absent. omitted.", r"\b(?:is|are|was|were) (?:missing|absent|omitted)\b|\bmissing from\b"),
    (
        "nothing.",
        r"\bnothing\b[^.;]{0,60}\b(?:indicat\w+|mention\w*|about|says?|shows?|tells?|label\w*|specif\w+|relat\w+|"
        r"refers?)\b",
    ),
    ("neither.", r"\b(?:shows?|contains?|includes?|has|have|gives?|mentions?|provides?|displays?|lists?) neither\b"),
    (
        "neither.",
        r"\bneither\b[^.;]{0,80}\b(?:indicat\w+|mention\w*|shows?|labell?\w*|specif\w+|provid\w+|"
        r"contain\w*|includ\w+|gives?|says?)\b",
    ),
    (
        "none.",
        r"\bnone of (?:the|these|them|those)[^.;]{0,60}\b(?:labell?ed|mentions?|contains?|includes?|refers?|relates?|"
        r"is about)\b",
    ),
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
    (
        "unrelated. irrelevant. mismatch off. nothing. scope.",
        r"\b(?:unrelated|irrelevant|mismatch\w*|off-topic|nothing to do with|out(?:side)? of (?:the )?scope|"
        r"beyond (?:the )?scope)\b",
    ),
    (
        "not. & related. relevant. about. applicable. concerned.",
        r"\bnot (?:\w+ly )?(?:related|relevant|about|applicable|concerned)\b",
    ),
    (
        "no. & relation. relevance. connection. bearing. link.",
        r"\bno (?:relation|relevance|connection|bearing|link) (?:to|with|on|between)\b",
    ),
    (
        "not. & do. does.",
        r"\b(?:does|do) not (?:\w+ly )?(?:pertain|relate|correspond|apply|match|concern|address|support|bear on|"
        r"tell us|"
        r"refer)\b",
    ),
    (
        "wrong. different. correct. right. another. appropriate.",
        rf"\b(?:wrong|different|correct|right|another|appropriate) {ANY_PICTURE}\b",
    ),
    (
        "show. shows. contain. contains. list. lists. include. includes. & that. which. with.",
        rf"\b{ANY_PICTURE} (?:that|which|with) (?:actually |clearly )?(?:shows?|contains?|lists?|includes?)\b",
    ),
    r"(?:与|和|跟|同)[^,。;!?]{0,40}(?:没有(?:任何|什么)?(?:关系|关联|联系)|没关系|不符|不匹配|不一致)",
    r"无关|不相关|毫不相干|毫无关(?:系|联)|不匹配|文不对题|超出[^,。;]{0,10}范围|(?:而|并)(?:不是|非)(?:关于)?|不是关于",
)
"""Says that the question has nothing to do with the picture."""
