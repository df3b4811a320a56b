"""The sentences of a methods paragraph, in English and Chinese, with places for what a manifest holds."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.estimate import BOOTSTRAP, WILSON

ENGLISH: Mapping[str, str] = {
    "gap": " ",
    "listed": ", ",
    "last": " and ",
    "evaluated": "{model} was evaluated on {benchmark} ({items} items from {clusters} images; data digest "
    "{data}{same}).",
    "as_published": ", the published data",
    "not_as_published": ", not the published data",
    "named": "In its answers the server named the model {names}.",
    "revision": "The declared revision of its weights is {revision}.",
    "embedded": "The model is a part of Snellen and needs no server (revision {revision}).",
    "recorded": "Its answers had been recorded elsewhere and were imported (SHA-256 of the file {digest}).",
    "asked": "Every item was asked once, with the prompt {prompt} (source digest {digest}).",
    "asked_often": "Every item was asked {repeats} times, with the prompt {prompt} (source digest {digest}); what is "
    "not called pooled is of the first time.",
    "pooled": "Pooled over {repeats} answers of each item, each judged {judgings} times, the rate was "
    "{value}{pct} [{low}, {high}].",
    "parts": "Of the variance of a single verdict (analysis of variance) {parts}.",
    "part": "{share}{pct} were due to {name}",
    "items": "items",
    "sampling": "sampling",
    "judge": "the judge",
    "items_and_sampling": "items and sampling",
    "direct": "That prompt is the image and the question alone.",
    "changed": "Every item was asked under these changes too: {conditions} (seed {seed}).",
    "convention": "Coordinates were read in the convention {convention}.",
    "requested": "Parameters requested: {parameters}; sent: {sent}.",
    "defaults": "none, so that the server's own defaults held",
    "count": "{set} ({count} requests)",
    "images": "Images were sent as they are within the policy {policy}; {conversions}.",
    "unconverted": "none had to be converted",
    "converted": "converted were {steps}",
    "step": "{step} (in {count} requests)",
    "dates": "Answers came from {first} to {last} (UTC).",
    "tokens": "The {requests} requests took {prompt} prompt and {completion} completion tokens.",
    "rules": "Answers were judged by rules ({rubric}; rubric digest {own}, readers' digest {readers}).",
    "judged": "Answers were judged by {judge} with the rubric {rubric} (rubric digest {own}, readers' digest "
    "{readers}).",
    "compared": "Answers were judged by rules ({rubric}; rubric digest {own}, readers' digest {readers}), descriptions "
    "compared by embeddings of {judge}.",
    "judge_named": "In its replies the server named the judge {names}.",
    "judge_saw": "The judge was shown the images.",
    "judge_dates": "Its replies came from {first} to {last} (UTC).",
    "unjudged": "The answers are not judged yet.",
    "scored": "Of {planned} items, {scored} were scored; an answer that commits to nothing counts as 0 "
    "({unclear} did).",
    "unscored": "Unscored were {reasons}; they enter no rate.",
    "reason": "{count} ({reason})",
    "rates": "Rates are micro averages; their {confidence}{pct} intervals are made so: {method}, where a cluster is "
    "the items that share an image.",
    "ratios": "Ratios have expanded BCa intervals from a bootstrap over clusters ({resamples} resamples, seed 0).",
    "versions": "Made with {versions}; seed {seed}.",
    "earlier": "Earlier sittings had other versions: see the manifest.",
    "cost": "The cost was {cost} in the currency of the declared prices.",
}

CHINESE: Mapping[str, str] = {
    "gap": "",
    "listed": "、",
    "last": " 和 ",
    "evaluated": "我们在 {benchmark} 上评测了 {model}"
    "（共 {items} 个条目，来自 {clusters} 张图像；数据摘要 {data}{same}）。",
    "as_published": "，与公开数据一致",
    "not_as_published": "，与公开数据不同",
    "named": "服务器在回答中自报的模型名为 {names}。",
    "revision": "所声明的权重版本为 {revision}。",
    "embedded": "该模型内置于 Snellen，无需服务器（版本 {revision}）。",
    "recorded": "回答系在别处记录后导入（文件的 SHA-256 为 {digest}）。",
    "asked": "每个条目提问一次，提示方式为 {prompt}（源码摘要 {digest}）。",
    "asked_often": "每个条目提问 {repeats} 次，提示方式为 {prompt}（源码摘要 {digest}）；"
    "未注明合并的数字均为第一次的结果。",
    "pooled": "将每个条目的 {repeats} 次回答（每次回答评判 {judgings} 次）合并，比率为 {value}{pct} [{low}, {high}]。",
    "parts": "单次评判的方差（方差分析）中，{parts}。",
    "part": "{share}{pct} 来自{name}",
    "items": "条目",
    "sampling": "采样",
    "judge": "评判",
    "items_and_sampling": "条目与采样",
    "direct": "该方式只包含图像和问题本身。",
    "changed": "每个条目还在以下变化下提问：{conditions}（随机种子 {seed}）。",
    "convention": "坐标按 {convention} 约定读取。",
    "requested": "请求的参数：{parameters}；实际发送：{sent}。",
    "defaults": "无，即采用服务器的默认值",
    "count": "{set}（{count} 次请求）",
    "images": "图像在 {policy} 的限制内原样发送；{conversions}。",
    "unconverted": "没有图像需要转换",
    "converted": "所作转换为 {steps}",
    "step": "{step}（{count} 次请求）",
    "dates": "回答取得于 {first} 至 {last}（UTC）。",
    "tokens": "{requests} 次请求共用去 {prompt} 个提示词元和 {completion} 个生成词元。",
    "rules": "回答由规则评判（{rubric}；评分标准摘要 {own}，读取器摘要 {readers}）。",
    "judged": "回答由 {judge} 按评分标准 {rubric} 评判（评分标准摘要 {own}，读取器摘要 {readers}）。",
    "compared": "回答由规则评判（{rubric}；评分标准摘要 {own}，读取器摘要 {readers}），描述按 {judge} 的嵌入向量比较。",
    "judge_named": "服务器在回复中自报的评判模型名为 {names}。",
    "judge_saw": "评判模型可以看到图像。",
    "judge_dates": "其回复取得于 {first} 至 {last}（UTC）。",
    "unjudged": "回答尚未评判。",
    "scored": "{planned} 个条目中有 {scored} 个得到评分；未作任何明确表态的回答计为 0（{unclear} 个）。",
    "unscored": "未评分的有 {reasons}；它们不计入任何比率。",
    "reason": "{count} 个（{reason}）",
    "rates": "比率为微平均，附 {confidence}{pct} 置信区间：{method}（共用一张图像的条目为一个聚类）。",
    "ratios": "比值的区间为按聚类重抽样的扩展 BCa 自助法区间（{resamples} 次重抽样，种子 0）。",
    "versions": "所用版本：{versions}；随机种子 {seed}。",
    "earlier": "此前的部分请求使用了其他版本，详见运行清单。",
    "cost": "费用为 {cost}（以所声明价格的货币计）。",
}

PACKAGES: Mapping[str, str] = {
    "python": "Python",
    "snellen": "Snellen",
    "numpy": "NumPy",
    "scipy": "SciPy",
    "pillow": "Pillow",
    "rapidocr": "RapidOCR",
    "onnxruntime": "ONNX Runtime",
    "opencv-python-headless": "OpenCV",
    "torch": "PyTorch",
}
"""Names of packages as their makers write them."""

METHODS_CHINESE: Mapping[str, str] = {
    WILSON: "按聚类的有效样本量计算的 Wilson 区间",
    BOOTSTRAP: "按聚类重抽样的扩展 BCa 自助法区间",
}

REASONS_CHINESE: Mapping[str, str] = {
    "model_error": "模型出错",
    "blocked": "被内容过滤拦截",
    "truncated": "回答被截断",
    "judge_error": "评判出错",
    "judge_cannot_tell": "评判无法判断",
    "data_error": "数据有误",
    "missing": "缺失",
}
