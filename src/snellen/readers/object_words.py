"""The words by which texts name objects, English and Chinese, for `snellen.readers.objects`.

The objects are the eighty of MSCOCO, by which object-level CHAIR was defined (Rohrbach et al. 2018), and what drawn
scenes are made of. Parts of things, clothes, grounds and what is too general to be checked (animal, vehicle, fruit) are
no objects here. The words are our own.
"""

from __future__ import annotations

from typing import Final

OBJECTS: Final = """\
person: person/people, man/men, woman/women, child/children, boy, girl, kid, baby, toddler, lady, gentleman/gentlemen,
    guy, human, adult, pedestrian, cyclist, biker, rider, driver, player, skier, surfer, stick figure, individual,
    skateboarder, snowboarder, motorcyclist, passenger, passerby/passersby | 人 男孩 女孩 孩子 小孩 儿童 婴儿 女士
    男士 男子 女子 男生 女生 骑手 球员 球手 运动员 足球运动员 篮球运动员 司机 乘客 足球员 篮球员 火柴人 球迷
bicycle: bicycle, bike, push bike, mountain bike | 自行车 单车 脚踏车 山地车
car: car, automobile, sedan, taxi, cab, suv, sports car, police car, jeep, hatchback, convertible | 汽车 小汽车 轿车
    小轿车 跑车 出租车 警车 吉普车 越野车
motorcycle: motorcycle, motorbike, moped, scooter, dirt bike | 摩托车 电动车 机车 电瓶车
airplane: airplane, aeroplane, plane, aircraft/aircraft, jet | 飞机 客机
helicopter: helicopter | 直升机 直升飞机
bus: bus/buses, coach bus, school bus/school buses, double decker, minibus/minibuses | 公共汽车 公交车 公交汽车 巴士
    大巴 大巴车 校车 公车
train: train, locomotive, subway train, tram | 火车 列车 地铁 高铁 电车
truck: truck, lorry, pickup, pickup truck, fire truck, fire engine, tow truck | 卡车 货车 皮卡 消防车
tractor: tractor | 拖拉机
boat: boat, ship, sailboat, sailing boat, sail boat, sailing ship, rowing boat, yacht, canoe, kayak, ferry | 船 帆船
    小船 轮船 游艇 渔船 渡轮 独木舟 皮划艇 小舟
rocket: rocket, spaceship, space ship, spacecraft/spacecraft, space rocket | 火箭 宇宙飞船 飞船 太空船
traffic light: traffic light, traffic signal, stoplight | 红绿灯 交通灯 交通信号灯 信号灯
fire hydrant: fire hydrant, hydrant | 消防栓 消火栓
parking meter: parking meter | 停车计时器 停车收费表
sign: sign, signboard, sign board, board, stop sign, road sign, street sign, traffic sign, signpost, billboard,
    placard | 牌子 标志牌 指示牌 标牌 路牌 招牌 告示牌 标识牌 站牌 路标 停车标志 交通标志 广告牌 牌
bench: bench, park bench | 长椅 长凳
bird: bird, pigeon, seagull, gull, parrot, sparrow, crow, eagle | 鸟 小鸟 鸽子 海鸥 鹦鹉 麻雀 乌鸦 老鹰
duck < bird: duck, duckling, rubber duck, mallard | 鸭 鸭子 小鸭 小鸭子
goose < bird: goose/geese, swan | 鹅 天鹅
chicken < bird: chicken, hen, rooster, chick | 鸡 公鸡 母鸡 小鸡
owl < bird: owl | 猫头鹰
penguin < bird: penguin | 企鹅
cat: cat, kitten, kitty, tabby, house cat | 猫 猫咪 小猫 花猫
dog: dog, puppy, pup, hound, guide dog | 狗 小狗 犬 狗狗 花狗
horse: horse, pony, foal, stallion, mare | 马 小马 马匹
donkey: donkey | 驴 驴子 毛驴
sheep: sheep/sheep, lamb, ram | 羊 绵羊 羊羔 小羊
goat: goat | 山羊
cow: cow, cattle, calf/calves, bull, ox/oxen | 牛 奶牛 公牛 母牛 小牛 黄牛 水牛
pig: pig, piglet | 猪 小猪
elephant: elephant | 大象 小象
bear: bear, polar bear, grizzly | 熊 北极熊 棕熊 狗熊 小熊
panda: panda | 熊猫 大熊猫
zebra: zebra | 斑马
giraffe: giraffe | 长颈鹿
rabbit: rabbit, bunny, hare | 兔 兔子 小兔子
mouse: mouse/mice, rat | 老鼠
monkey: monkey, ape, gorilla | 猴 猴子 猩猩
lion: lion, lioness/lionesses | 狮子
tiger: tiger | 老虎
frog: frog, toad | 青蛙 蛙 蟾蜍
fish: fish/fish, goldfish/goldfish, fishes/fishes | 鱼 金鱼 鲨鱼 鱼儿
turtle: turtle, tortoise, sea turtle | 龟 乌龟 海龟
butterfly: butterfly | 蝴蝶
backpack: backpack, rucksack, knapsack, school bag | 背包 书包 双肩包
umbrella: umbrella, parasol, sun umbrella, beach umbrella | 伞 雨伞 阳伞 太阳伞 遮阳伞
handbag: handbag, purse | 手提包 手袋 挎包
necktie: necktie, bow tie | 领带 领结
suitcase: suitcase, luggage/luggage | 行李箱 手提箱 旅行箱
hat: hat, cap, sun hat, straw hat | 帽子 帽 草帽 鸭舌帽
frisbee: frisbee | 飞盘
skis: skis/skis | 滑雪板
snowboard: snowboard | 单板滑雪板
ball: ball, football, soccer ball, basketball, tennis ball, volleyball, baseball, beach ball, sports ball, golf ball |
    球 足球 篮球 网球 排球 皮球 棒球 圆球 高尔夫球
kite: kite | 风筝
balloon: balloon, air balloon, hot air balloon | 气球 热气球
baseball bat: baseball bat | 球棒 棒球棒 棒球棍
baseball glove: baseball glove, baseball mitt | 棒球手套
skateboard: skateboard, skate board | 滑板
surfboard: surfboard, surf board | 冲浪板
tennis racket: tennis racket, tennis racquet, racket, racquet | 网球拍 球拍
bottle: bottle, water bottle, wine bottle | 瓶子 水瓶 酒瓶
wine glass: wine glass/wine glasses, wineglass/wineglasses, goblet | 酒杯 高脚杯 葡萄酒杯
cup: cup, mug, coffee cup, tea cup, teacup | 杯 杯子 水杯 茶杯 马克杯 咖啡杯
fork: fork | 叉子 餐叉
knife: knife/knives | 刀 刀子 餐刀 小刀
spoon: spoon, teaspoon | 勺子 汤匙 勺
bowl: bowl | 碗
plate: plate, dinner plate | 盘子 碟子
banana: banana | 香蕉
apple: apple | 苹果
sandwich: sandwich/sandwiches | 三明治
orange: oranges/oranges, orange fruit, orange slice | 橙子 橘子 桔子
pear: pear | 梨 梨子
lemon: lemon | 柠檬
mango: mango/mangoes, mangos/mangos | 芒果
grapes: grape, bunch of grapes/bunches of grapes | 葡萄
strawberry: strawberry | 草莓
watermelon: watermelon | 西瓜
pumpkin: pumpkin | 南瓜
broccoli: broccoli/broccoli | 西兰花 花椰菜
carrot: carrot | 胡萝卜
hot dog: hot dog, hotdog | 热狗
pizza: pizza | 比萨 披萨 比萨饼
donut: donut, doughnut | 甜甜圈
cake: cake, cupcake, birthday cake | 蛋糕
chair: chair, armchair, stool, wooden chair, dining chair | 椅子 椅 凳子 扶手椅
couch: couch/couches, sofa, loveseat | 沙发
plant: plant, potted plant, house plant, houseplant, bush/bushes, shrub | 植物 盆栽 灌木 花盆
flower < plant: flower, tulip, daisy, sunflower, roses/roses, blossom | 花 花朵 鲜花 玫瑰 郁金香 向日葵 雏菊 花丛
tree < plant: tree, apple tree, palm tree, palm, christmas tree, pine tree, oak tree | 树 树木 大树 小树 圣诞树 苹果树
    棕榈树 松树
bed: bed | 床
table: table, dining table, desk, wooden table, coffee table, side table | 桌子 餐桌 书桌 桌 课桌 茶几 桌面
toilet: toilet | 马桶
tv: tv, television, tv set, television set | 电视 电视机
laptop: laptop, laptop computer, notebook computer | 笔记本电脑
computer mouse: computer mouse/computer mice | 鼠标
remote control: remote control, remote controller | 遥控器
keyboard: keyboard, computer keyboard | 键盘
phone: phone, cell phone, mobile phone, cellphone, smartphone, telephone | 手机 电话 苹果手机
microwave: microwave, microwave oven | 微波炉
oven: oven, stove | 烤箱 炉灶
toaster: toaster | 烤面包机
sink: sink, washbasin | 水槽 洗手池
refrigerator: refrigerator, fridge | 冰箱
book: book, novel, textbook | 书 书本 书籍 图书
clock: clock, alarm clock | 时钟 挂钟 闹钟 钟表
vase: vase, flower vase | 花瓶
scissors: scissors/scissors | 剪刀
teddy bear: teddy bear, teddy, stuffed bear, toy bear | 泰迪熊 玩具熊 毛绒熊
hair dryer: hair dryer, hair drier, hairdryer | 吹风机
toothbrush: toothbrush/toothbrushes | 牙刷
box: box/boxes, crate, carton, cardboard box/cardboard boxes, chest | 箱子 盒子 纸箱 纸盒 木箱 箱 盒
basket: basket | 篮子
bucket: bucket, pail | 水桶 桶
lamp: lamp, street lamp, street light, streetlight, lamppost, lamp post, table lamp, floor lamp, desk lamp, chandelier
    | 灯 台灯 路灯 吊灯 落地灯 电灯
lantern: lantern | 灯笼
candle: candle | 蜡烛
building: building, skyscraper, tower | 建筑 建筑物 大楼 楼房 高楼 摩天大楼
house < building: house, cottage, cabin, hut, farmhouse | 房子 房屋 屋子 小屋 住宅 别墅 木屋
lighthouse < building: lighthouse | 灯塔
bridge: bridge | 桥 桥梁
fence: fence | 栅栏 篱笆 围栏
tent: tent | 帐篷
sun: sun | 太阳
moon: moon, crescent moon | 月亮
cloud: cloud | 云 云朵 白云 云彩
arrow: arrow | 箭头
flag: flag | 旗 旗帜 国旗 旗子 红旗 彩旗
guitar: guitar, acoustic guitar | 吉他
piano: piano, grand piano | 钢琴
ladder: ladder | 梯子
bone: bone | 骨头
"""
"""``name < more general name: English words | Chinese words``; an irregular plural stands behind a ``/``."""

NO_OBJECTS: Final = (
    # compounds and idioms in which a word names no object, or another one than the last of its words does
    "bus stop, bus station, bus lane, bus shelter, train station, train track, train tracks, car park, parking lot, "
    "bike lane, bike rack, bicycle lane, bike path, dog house, doghouse, bird house, birdhouse, tree house, bird cage, "
    "fish tank, bear in mind, flower bed, flower beds, river bed, truck stop, phone booth, phone number, sign of, "
    "signs of, sign language, on board, board game, board games, ball game, ball games, football field, "
    "football pitch, football match, football game, football team, football stadium, soccer field, soccer match, "
    "soccer game, basketball court, basketball hoop, basketball game, basketball team, baseball field, baseball game, "
    "tennis court, tennis match, play football, plays football, playing football, play basketball, plays basketball, "
    "playing basketball, play baseball, plays baseball, playing baseball, play volleyball, plays volleyball, "
    "playing volleyball, in the sun, table tennis, table cloth, book shelf, book shelves, book store, clock face, "
    "sun rays, flag pole, piano keyboard, musical keyboard, power plant, power plants, train of thought, cup holder, "
    "man made"
)
"""English texts in which nothing is named, separated by commas."""

NO_OBJECTS_ZH: Final = (
    "机器人 雪人 稻草人 人行道 人行横道 人工 人造 人民币 无人机 动人 迷人 诱人 惊人 感人 宜人 喜人 引人 令人 "
    "让人 给人 使人 汽车站 公交车站 公交站 火车站 停车场 飞机场 车灯 灯光 灯火 马路 马上 斑马线 河马 木马 海马 "
    "马赛克 马拉松 罗马 马铃薯 马车 马戏 马甲 马力 马虎 壁虎 鲸鱼 鳄鱼 章鱼 鱿鱼 鱼缸 鱼竿 鸟居 鸟巢 鸟笼 鸡蛋 "
    "鸡肉 牛奶 牛仔 牛肉 牛排 牛油果 蜗牛 羊毛 羊肉 猪肉 海狗 狗尾草 浣熊 花纹 花园 花生 花色 花费 花边 花样 "
    "花斑 花白 棉花 雪花 烟花 浪花 水花 火花 花菜 树立 河床 机床 床单 桌布 桌球 奖杯 世界杯 欧洲杯 垃圾箱 邮箱 "
    "信箱 音箱 水箱 饭盒 书写 书法 书架 书柜 书房 书店 图书馆 秘书 证书 文书 说明书 书签 地球 星球 全球 月球 "
    "眼球 半球 球场 网球场 足球场 篮球场 排球场 棒球场 高尔夫球场 球队 足球队 篮球队 球门 球网 球赛 足球赛 "
    "篮球赛 球形 降落伞 滑翔伞 太阳镜 太阳能 品牌 名牌 车牌 纸牌 扑克牌 金牌 银牌 铜牌 牌照 凤梨 葡萄酒 葡萄柚 "
    "葡萄牙 柠檬黄 柠檬色 旗杆 旗袍 云南 电话号码 钢琴键盘"
)
"""The same in Chinese, separated by spaces."""
