"""The words by which texts guess, conclude, offer and describe, spelt as in `snellen.readers.refusals`."""

from __future__ import annotations

from snellen.readers.cues import any_of
from snellen.readers.refusals import ANY_PICTURE

INSTEAD = any_of(
    (
        "not.",
        r", not (?:a |an |the |any |of |about |to |for )?(?!(?:just|only|because|vice|lower|higher|more|less|"
        r"the other)\b)[a-z]",
    ),
    ("rather.", r"\brather than (?:a |an |any |the )?\w"),
)
"""Contrasts, which in a clause about the picture says what it shows instead."""

ILLEGIBLE = any_of(
    (
        "blur illegible. unreadable. low. resolution. too. zoom crop close. closeup. clearer. "
        "sharper. small. legible. readable.",
        r"\b(?:blurr?y|blurred|illegible|unreadable|low[- ]res\w*|resolution|too (?:small|tiny|faint|dense|coarse)|"
        r"zoom\w*|crop\w*|"
        r"close-?up|clearer|sharper|small (?:image|text|labels?|print|picture)|not (?:\w+ly )?(?:legible|readable))\b",
    ),
    r"模糊|看不清|不清晰|分辨率|太小|放大|更清晰",
)
"""Complains of the quality of the picture."""

FALSE_PREMISE = any_of(
    ("premise. assumption.", r"\b(?:premise|assumption)\b[^.;]{0,40}\b(?:false|wrong|incorrect|mistaken|flawed|not)\b"),
    r"(?:前提|假设)[^,。;!?]{0,16}(?:错误|有误|不正确|不成立|不对|不符)",
)
"""Says that the question takes something false for granted: neither a refusal nor an answer by itself."""

NO_DECLINE = any_of(
    ("doubt. question.", r"\b(?:no|without(?: a| any)?|beyond) (?:doubt|question)\b"),
    (
        "cannot. & deny denied overstate overestimate overemphasi understate underestimate "
        "ignore miss. help. overlook more wait apart",
        r"\bcannot (?:be )?(?:\w+ly )?(?:deny|denied|overstate\w*|overestimate\w*|overemphasi\w*|understate\w*|"
        r"underestimate\w*|ignore\w*|miss\b|help but|"
        r"overlook\w*|be more|wait|tell (?:them|the two|these|the \w+ and) apart)",
    ),
    (
        "deny overstate miss ignore argue overlook & impossible. hard. difficult.",
        r"\b(?:impossible|hard|difficult) to (?:deny|overstate|miss|ignore|argue|overlook)\b",
    ),
    (
        "not. & impossible. unable. unknown. unclear. unrelated. irrelevant. missing. "
        "unanswerable. hard. difficult. only. just.",
        r"\bnot (?:impossible|unable|unknown|unclear|unrelated|irrelevant|missing|unanswerable|hard to|"
        r"difficult to|only|"
        r"just)\b",
    ),
    ("problem. issue. wonder. surprise. & no.", r"\bno (?:problem|issue|wonder|surprise)\b"),
    ("not. & why. if. or.", r"\bwhy not\b|\bif not\b|\bor not\b|\bwhether or not\b"),
    r"并非(?:无法|不能|没有|无关|未知)|不是(?:没有|无法|不能|不知道|无关)|不难(?:看出|判断|确定|得出|发现)?|毫无疑问|无疑|没有疑问|没有问题",
    r"(?:无法|不可|不能)(?:否认|忽视|忽略)|不得不|不能不|无非|无论|没有(?:任何|明显|显著|什么)?的?(?:变化|差异|区别|增长|下降|波动|重叠|异常|影响)",
)
"""Looks like a refusal or a denial, and is none."""

AMOUNT = any_of(
    (
        "about. approximately. approx. roughly. around. nearly. almost. close. order. "
        "somewhere. range. least. most. just.",
        r"\b(?:about|approximately|approx|roughly|around|nearly|almost|close to|on the order of|somewhere between|"
        r"in the range|"
        r"at least|at most|just (?:under|over|below|above))\b[^.;,]{0,40}(?:\d|\b(?:one|two|three|four|five|six|seven|"
        r"eight|nine|ten|half|"
        r"a (?:third|quarter|hundred|thousand|million))\b)",
    ),
    ("≈ ~ ≃ ≅ ∼", r"[≈~≃≅∼]\s*[-+−–]?\s*[\d.]"),
    r"(?:大约|约为|大概|接近|将近|差不多|约|近似)(?:是|为|在|有)?[^,。;!?]{0,10}[\d一二三四五六七八九十百千]|[\d一二三四五六七八九十百千万%][^,。;!?\d]{0,4}左右",
)
"""Names an approximate amount."""

GUESSES = any_of(
    (
        "guess. estimate. reading.",
        r"\b(?:my|the|a) (?:best|closest|rough|visual|approximate|quick) (?:\w+ )?(?:guess|estimate|reading)\b",
    ),
    (
        "guess. estimate. say. go. think. believe. suspect.",
        r"\b(?:would|'d) (?:guess|estimate|say|go with)\b|\bi (?:guess|estimate|think|believe|suspect)\b|"
        r"\beducated guess\b",
    ),
    (
        "look. looks. appear. appears. seem. seems.",
        r"\b(?:looks?|appears?|seems?) (?:like|to|about|roughly|slightly|higher|lower|larger|smaller)\b",
    ),
    ("probably. likely. presumably. perhaps. maybe.", r"\b(?:probably|most likely|likely|presumably|perhaps|maybe)\b"),
    ("interpolat extrapolat eye. visually.", r"\b(?:interpolat|extrapolat)\w+|\bby eye\b|\bvisually\b"),
    r"估计(?!不)|推测|猜测|我猜|猜是|应该是|应为|可能是|也许是|大概是|看起来(?:像|是)?|看上去|看样子|似乎是|很可能|大致是",
)
"""Ventures an answer."""

CONCLUDES = any_of(
    (
        "answer.",
        r"\b(?:the |my |final )+answer (?:is|would be|should be)\b(?! (?:not|un|that (?:it|this|the)))|\bfinal answer:",
    ),
    (
        "so. thus. hence. therefore. giving. gives. equal. equals. which.",
        r"\b(?:so|thus|hence|therefore|giving|gives|equals?|which is)\b[^.;]{0,60}\d",
    ),
    ("it. & is.", r"\bit is (?:the |a |an |in |at )?\w{0,12} ?\d"),
    ("choose. pick.", r"\bi(?:'d| would)? (?:choose|pick)\b"),
    ("= ≈ & 0", r"\d\s*[-+−×*/÷]\s*[\d.]+\s*[=≈]"),
    r"(?:答案|结果|数值|值)(?:应该|应|就)?(?:是|为|:)(?!无|未|不|没)|所以是|因此是|(?<![不只仅就都又还也而若可要算便])[是为]\d",
)
"""States an answer."""

OFFERS = any_of(
    ("you. & could. can. would. will.", r"\b(?:could|can|would|will) you\b"),
    ("please. upload. reupload.", r"\bplease\b|\b(?:upload|re-?upload)\b"),
    ("me. & let. tell. give.", r"\b(?:let me know|tell me|give me)\b"),
    (
        "paste. send. share. supply. provide.",
        r"(?:^|\b(?:you|to|either|or|and|could|can) )(?:paste|send|share|supply|provide)\b",
    ),
    (
        "you. & do. did. would.",
        r"\b(?:do|did) you (?:mean|have|want)\b|\bwhich (?:one|\w+) did you\b|\bwhich (?:would|do) you\b",
    ),
    ("i. & can. could. will. would. d.", r"\bi (?:can|could|will|would)\b(?! not)|\bi'd\b(?! (?:say|guess|estimate))"),
    ("happy.", r"\bhappy to\b"),
    (
        "if. once. assuming.",
        r"\bif (?:you|your|that|this|available|needed|i had|we had)\b|\bonce (?:you|i|we)\b|\bassuming you\b",
    ),
    (
        "with. & data. numbers. image. crop. labels. values. information. resolution.",
        r"\bwith (?:the|those|a|that|more|higher|clearer) (?:[\w-]+ ){0,3}(?:data|numbers|image|crop|labels|values|"
        r"information|resolution)\b",
    ),
    (
        "example. e. instance. suppose. say. how. general. formula. formulas. step. steps. method.",
        r"\b(?:for example|e\.g\.|example|for instance|suppose|say,|how to|how you|in general|formulas? is|(?:formula|"
        r"steps?|method)(?=:))\b",
    ),
    (
        "to. & compute. calculate. determine. get. answer. obtain. find. do. give.",
        r"\bto (?:compute|calculate|determine|get|answer|obtain|find|do so|do (?:that|this)|give)\b",
    ),
    ("you.", r"\byou (?:can|could|need|may|might|would|must|should|will|'d)\b"),
    (
        "need. needs. require. requires. check. consult. refer. look. inspect. contact.",
        r"\bi (?:would )?(?:need|require)\b|\b(?:need|require)s? (?:either|the|to|a)\b|\b(?:check|consult|refer to|"
        r"look up|inspect|contact)\b",
    ),
    r"如果|若|假如|假设|倘若|请(?!问)|能否|可否|是否可以|您可以|你可以|可以提供|例如|比如|建议|需要|方法|步骤|公式|只要|一旦|上传|欢迎",
)
"""Asks for something, or says what could be done with more."""

ESTIMATE_OFFERED = any_of(
    (
        "if. & estimate. approximat guess. rough visual ballpark. anyway.",
        r"\bif (?:you|it|a|an)\b[^.:;]{0,60}\b(?:estimate|approximat\w+|guess|rough\w*|visual\w*|ballpark|anyway)\b",
    ),
    r"如果[^。:;]{0,20}(?:估计|大概|大致|近似|粗略)",
)
"""Opens an estimate as if it were an offer: "if you want a rough reading: ..."."""

MEANT_OTHERWISE = any_of(
    (
        "if. & mean. meant. intende. intended. instead. looking. asking.",
        r"\bif [^.;:]{0,60}\b(?:meant?|intended?|instead|looking for|asking)\b",
    ),
    r"如果[^。;:]{0,20}(?:指|是想|本意|想问)",
)
"""Answers another question than the one asked, and says so."""

HOW_TO = any_of(
    (
        "how. yourself. quick. quickly. step. steps. snippet. snippets. method. procedure. recipe. general.",
        r"\bhow (?:to|you|i|one)\b|\byourself\b|\bquick(?:ly)? ways?\b|\bsteps?\b|\bsnippets?\b|\b(?:method|procedure|"
        r"recipe|in general)\b",
    ),
    r"方法|步骤|公式|如何|怎样|自行",
)
"""Introduces an explanation of how the answer could be found."""

ESTIMATE_GIVEN = any_of(
    (
        "estimate. guess. reading.",
        r"\b(?:visual|rough|quick|best|approximate|my) (?:\w+ )?(?:estimate|guess|reading)\b[^.;]{0,200}\d",
    ),
    ("answer.", r"\bfinal answer\b"),
    r"(?:估计|估算|粗略|目测)[^。;]{0,40}\d",
    "答案(?:是|为)",
)
"""Gives an estimate in so many words."""

PICTURE = any_of(rf"\b(?:{ANY_PICTURE}s?|axis|axes|columns?|panels?|these|those)\b", "图|轴")

DESCRIBES = any_of(
    (
        "chart figure plot graph diagram legend table panel subplot axis axes heat map image "
        "picture photo screen visual it. they. this. that. column categories group label curve "
        "marker",
        rf"^(?:(?:and|but|so|note:?|note that|first|here|in fact|actually|instead|as|because|since|while|"
        rf"although|though|"
        rf"it (?:looks|seems) like|"
        rf"what you have|unfortunately),? )*"
        rf"(?:the|this|these|those|that|your|both|it|its|they|all|only)\b[^.;]{{0,80}}?\b(?:{ANY_PICTURE}s?|it|"
        rf"they|this|"
        rf"that|columns?|categories|"
        r"groups?|labels?|curves?|markers?|panels?)\b[^.;]{0,60}?\b(?:shows?|showing|shown|depicts?|displays?|"
        r"is|are|was|"
        r"were|presents?|illustrates?|plots?|"
        r"compares?|only|has|have|contains?|includes?|appears?|looks?|seems?|provides?|covers?|reports?|lists?|goes|"
        r"focus\w*|concerns?|gives?)\b",
    ),
    (
        "it. they. this. that. these. those.",
        r"^(?:(?:and|but|so|because|as|since) )?(?:it|they|this|that|these|those) (?:\w+ly |just |all |"
        r"both )?(?:shows?|"
        r"depicts?|displays?|presents?|"
        r"illustrates?|plots?|compares?|only|contains?|includes?|covers?|reports?|lists?)\b",
    ),
    (
        "looks. appears. seems.",
        r"^it (?:looks|appears|seems)\b[^.;]{0,60}\b(?:plot|chart|figure|graph|map|diagram|surface)\b",
    ),
    r"^(?:但|不过|因为|而|并且)?(?:[该这此本](?:张|幅|个)?[图表]|图|从图|整张|它|这(?=是|只|显|展))[^。;]{0,30}(?:显示|展示|是|描述|呈现|包含|列出|给出|标注|描绘|反映|"
    r"关于|只有)",
)
"""Says what the picture is or shows."""

PREAMBLE = any_of(
    (
        "sorry afraid unfortunately. apologies. thank. thanks. great. good. sure. okay. ok. well. hmm. hello. hi.",
        r"^i am (?:sorry|afraid)|^(?:sorry|unfortunately|apologies|thanks?|great|good|sure|okay|ok|well|hmm|"
        r"hello|hi)\b",
    ),
    (
        "interesting. good. great. tricky. trick. let.",
        r"^(?:this|that|it) is (?:an? )?(?:interesting|good|great|tricky|trick)\b|^(?:let us|let's|let me)\b",
    ),
    ("i.", r"^i (?:have )?(?:looked|examined|checked|reviewed|understand|appreciate|analy[sz]ed|see)\b"),
    (
        "looking based. according upon after having regarding as. from. in. question you.",
        r"^(?:looking|based on|according|upon|after|having|regarding|as an? |from the|in the|the question|"
        r"you (?:are )?ask)[^.;]*$",
    ),
    (
        "answer. response. explanation. reason. analysis. observation. note. question.",
        r"^(?:short answer|answer|response|explanation|reason|analysis|observation|note|question)\b[^.;]{0,3}$",
    ),
    (":", r".*:$"),
    r"^(?:(?:很|非常|十分)?(?:抱歉|遗憾)|对不起|不好意思|您好|你好|好的|根据|从|关于|这个问题|该问题|分析|说明|观察|让我|我们?(?:来|仔细)|首先|答:?$|回答)",
)
"""Comes before what is said."""

INEXACT = any_of(
    r"\b(?:exact|precise|accurate|100|absolute|full|complete|total)(?:ly)?\b|\bbe (?:sure|certain|definitive)\b|"
    r"\bnot (?:\w+ )?(?:sure|certain)\b",
    r"精确|准确(?!无法)|确切|百分之百|百分百|完全确定|具体数值",
)
"""Declines exactness only."""
