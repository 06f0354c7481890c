"""Words that values are made of. All of them written by this project."""

NOUNS = """
apple bread butter cheese coffee dinner egg fish flour fruit garlic honey juice lemon lunch meat milk noodle
onion orange pasta pepper pizza potato rice salad salt soup sugar tea tomato water wine bag bed bicycle bike
boat book bottle bowl box bridge bus camera candle car card chair clock coat computer cup desk door dress
engine fan flag floor fork glass guitar hammer hat house jacket kettle key keyboard knife ladder lamp laptop
lens lock map mirror mouse needle oven paint paper pen pencil phone piano picture pipe plane plate printer
pump radio ring rope saw scissors screen shirt shoe shop sofa spoon stove table tap tent ticket tool tower
train truck umbrella van wall watch wheel window wire ant bear bee bird butterfly cat chicken cow deer dog
dolphin duck eagle elephant fox frog goat horse lion monkey owl panda penguin pig rabbit shark sheep snake
spider swan tiger turtle whale wolf beach cave city cloud coast desert earth farm field fire flower forest
garden hill ice island lake leaf moon mountain ocean park planet plant rain river road rock sand sea sky snow
soil star stone storm street sun tree valley village volcano wind wood actor artist baby baker boy brother
child doctor driver engineer farmer father friend girl king lawyer manager mother nurse pilot player poet
police president queen sailor scientist singer sister soldier student teacher writer album battery bridge
budget camp castle church cinema class code college company concert contract country course court culture data
disease energy exam festival film football form game gas gold government history hospital hotel industry
insurance internet job language law library loan machine market medicine meeting memory metal model money
museum music news newspaper novel office oil opera paint passport password physics poem price problem program
project protein question railway recipe record rent report restaurant route rule salary school science season
server signal software song sound space speech sport stadium stock story strategy system tax team technology
temple tennis test theatre theory tour traffic university vaccine video virus visa vote wage war weather
wedding website week world year
""".split()

ADJECTIVES = """
bad best big black blue bright broken brown cheap clean clear cold common cool dark deep dry early easy
electric empty famous fast fresh full funny gentle good great green hard heavy high hot huge kind large late
latest light local long loud low modern narrow natural new nice old open perfect plain popular public quick
quiet rare real red rich safe sharp short simple slow small soft solar sour spicy strange strong sweet tall
thin tiny top traditional true upcoming warm weak wet white wide wild wooden yellow young
""".split()

VERBS = """
bake boil build buy change charge choose clean cook cut dance draw drive feed find fix fly fold fry grow help
hide install jump learn make measure move open paint plan plant play press print read remove rent repair run
save sell send set sew sing sleep start stop store study swim teach tie train travel update use walk wash wear
win write
""".split()

NAMES = """
Adam Alice Anna Ben Bob Carl Clara David Emma Eric Frank Grace Henry Irene Jack James Jane John Julia Karen
Kevin Laura Leo Linda Lucy Maria Mark Mary Nina Oscar Paul Peter Rosa Sam Sarah Simon Sofia Tom Victor Wendy
""".split()

SMALL_WORDS = """
about after against and around as at before behind between by during for from in inside into near of on or
over through to under until versus with without the a an is are was were does do did can will has have that
this which who what when where why how
""".split()

NOUNS_ZH = """
苹果 面包 牛奶 鸡蛋 米饭 面条 饺子 蛋糕 咖啡 绿茶 火锅 豆腐 西瓜 葡萄 香蕉 土豆 白菜 牛肉 羊肉 鸡汤 早餐 晚饭 水果 蔬菜 汽车 火车 飞机 地铁 自行车 手机 电脑 电视 冰箱 空调 洗衣机 相机
耳机 键盘 鼠标 手表 钢琴 吉他 书包 雨伞 眼镜 衣服 鞋子 帽子 桌子 椅子 窗户 房子 钥匙 电池 灯泡 熊猫 老虎 狮子 大象 猴子 兔子 狐狸 海豚 企鹅 乌龟 蝴蝶 蜜蜂 小狗 小猫 金鱼 山 河流 湖泊
大海 森林 沙漠 草原 雪山 火山 岛屿 月亮 太阳 星星 地球 火星 天气 台风 地震 春天 夏天 秋天 冬天 医生 老师 学生 司机 工程师 科学家 作家 歌手 演员 律师 护士 农民 警察 总统 国王 朋友 孩子
妈妈 爸爸 公司 学校 大学 医院 银行 超市 餐厅 酒店 机场 车站 公园 博物馆 图书馆 电影院 电影 音乐 小说 诗歌 歌曲 新闻 报纸 游戏 足球 篮球 网球 比赛 节日 历史 文化 语言 数学 物理 化学 生物
经济 法律 政府 市场 股票 房价 工资 保险 签证 护照 护理 疫苗 病毒 药物 软件 硬件 程序 代码 网站 密码 数据 人工智能 机器人 新能源 发动机 卫星 航天 芯片 菜谱 做法 攻略 路线 价格 方法 原因
排名 教程 资料 意思 用法 区别 症状 成绩 门票 时间表 合同 考试 面试 旅游 减肥 健身 睡眠 装修 养花 种菜
""".split()

ADJECTIVES_ZH = """
最新的 最好的 便宜的 好吃的 简单的 有名的 古老的 现代的 红色的 蓝色的 绿色的 白色的 黑色的 小型 大型 传统 国产 免费的 热门 附近的 安全的 健康的 经典 快速 高级 初级 家常 手工 智能 电动 儿童
老年人 中国 日本 美国 法国 英国 德国 韩国 北京 上海 广州 深圳 成都 杭州 西安 南京 武汉 重庆
""".split()

ENDINGS_ZH = """
怎么做 怎么修 怎么选 怎么用 怎么学 怎么安装 怎么保存 怎么种 怎么洗 怎么去 是什么 有哪些 为什么这么贵 多少钱 什么时候开始 在哪里 的历史 的价格 的做法 的意思 的区别 的原因 的症状 的教程 的攻略
的好处 的缺点 的排名 的发明者 的作者
""".split()
PLACES = """
Paris London Tokyo Beijing Shanghai Berlin Madrid Rome Vienna Oslo Lisbon Dublin Cairo Nairobi Lagos Delhi
Mumbai Bangkok Hanoi Seoul Sydney Perth Toronto Chicago Boston Denver Seattle Miami Lima Bogota Havana Moscow
Warsaw Prague Athens Istanbul Dubai Singapore Jakarta Manila Auckland Stockholm Copenhagen Helsinki Amsterdam
Brussels Zurich Geneva Munich Hamburg Frankfurt Cologne Milan Naples Turin Florence Venice Barcelona Valencia
Seville Porto Lyon Marseille Nice Bordeaux Manchester Liverpool Glasgow Edinburgh Cardiff Belfast Budapest
Bucharest Sofia Belgrade Zagreb Ljubljana Sarajevo Tirana Skopje Vilnius Riga Tallinn Minsk Kyiv Odesa Tbilisi
Yerevan Baku Ankara Izmir Beirut Damascus Amman Jerusalem Riyadh Doha Kuwait Muscat Tehran Baghdad Kabul
Islamabad Karachi Lahore Dhaka Kathmandu Colombo Chennai Kolkata Bangalore Hyderabad Pune Yangon Phuket Penang
Osaka Kyoto Sapporo Nagoya Busan Taipei Macau Shenzhen Chengdu Wuhan Xian Nanjing Hangzhou Harbin Lhasa Brisbane
Melbourne Adelaide Darwin Hobart Wellington Christchurch Suva Honolulu Anchorage Vancouver Calgary Winnipeg
Montreal Ottawa Halifax Quebec Detroit Cleveland Atlanta Dallas Houston Austin Phoenix Vegas Portland Oakland
Philadelphia Washington Baltimore Pittsburgh Nashville Memphis Orlando Tampa Guadalajara Monterrey Panama Quito
Caracas Brasilia Recife Salvador Montevideo Asuncion Santiago Valparaiso Cordoba Cusco Accra Dakar Abuja Kampala
Kigali Harare Lusaka Maputo Windhoek Gaborone Durban Johannesburg Casablanca Marrakesh Tunis Algiers Tripoli
Khartoum Luanda Kinshasa Reykjavik Valletta Monaco Nicosia Bern Basel Salzburg Graz Bergen Malmo Aarhus Tampere
Krakow Gdansk Brno Ghent Bruges Utrecht Rotterdam Leipzig Dresden Stuttgart Bremen Bath York Leeds Oxford
Cambridge Brighton Cork Galway Spain France Italy Germany Poland Norway Sweden Finland Denmark Ireland Greece
Turkey Egypt Kenya Nigeria Ghana Morocco India Pakistan Nepal Thailand Vietnam Malaysia Indonesia Japan Korea
China Mongolia Australia Canada Mexico Cuba Jamaica Peru Chile Brazil Argentina Colombia Bolivia Portugal Iceland
Scotland Wales England Hungary Romania Bulgaria Serbia Croatia Estonia Latvia Lithuania Ukraine Texas California
Florida Ohio Alaska Hawaii Ontario Bavaria Tuscany Sicily Crete Bali Java Queensland Normandy Brittany Cornwall
""".split()
LONG_PLACES = """
New York;Los Angeles;San Francisco;San Diego;Las Vegas;New Orleans;Salt Lake City;Kansas City;Mexico City;Buenos
Aires;Rio de Janeiro;Sao Paulo;La Paz;San Juan;San Jose;Santo Domingo;Cape Town;Addis Ababa;Dar es Salaam;Port
Louis;Abu Dhabi;Tel Aviv;New Delhi;Kuala Lumpur;Ho Chi Minh City;Phnom Penh;Chiang Mai;Hong Kong;Gold Coast;Alice
Springs;St Petersburg;The Hague;Novi Sad;Sri Lanka;South Africa;New Zealand;Costa Rica;Saudi Arabia;Palo Alto;Ann
Arbor;Baton Rouge;El Paso;Santa Fe;Port Said;Da Nang;Quezon City;Ulan Bator;St John's;Newcastle upon Tyne
""".replace("\n", " ").strip().split(";")
PLACES_ZH = """
北京 上海 广州 深圳 东京 伦敦 巴黎 纽约 悉尼 柏林 莫斯科 首尔 新加坡 曼谷 罗马 马德里 开罗 迪拜 多伦多 芝加哥 洛杉矶 香港 台北 成都 西安
天津 重庆 武汉 南京 杭州 苏州 无锡 宁波 温州 福州 厦门 青岛 济南 烟台 大连 沈阳 长春 哈尔滨 石家庄 太原 郑州 洛阳 长沙 南昌 合肥 昆明
贵阳 南宁 桂林 海口 三亚 兰州 西宁 银川 乌鲁木齐 拉萨 呼和浩特 珠海 佛山 东莞 澳门 高雄 大阪 京都 札幌 名古屋 福冈 釜山 济州 平壤 河内
胡志明市 金边 万象 仰光 吉隆坡 槟城 雅加达 巴厘岛 马尼拉 孟买 新德里 班加罗尔 加尔各答 达卡 加德满都 科伦坡 卡拉奇 伊斯兰堡 喀布尔 德黑兰
巴格达 利雅得 多哈 科威特 阿布扎比 耶路撒冷 安卡拉 伊斯坦布尔 雅典 布达佩斯 布拉格 华沙 维也纳 苏黎世 日内瓦 慕尼黑 法兰克福 汉堡 米兰 威尼斯
佛罗伦萨 巴塞罗那 里斯本 都柏林 曼彻斯特 利物浦 爱丁堡 阿姆斯特丹 布鲁塞尔 哥本哈根 斯德哥尔摩 奥斯陆 赫尔辛基 雷克雅未克 基辅 明斯克 圣彼得堡
海参崴 墨尔本 布里斯班 珀斯 奥克兰 惠灵顿 温哥华 蒙特利尔 渥太华 旧金山 西雅图 波士顿 华盛顿 休斯敦 达拉斯 迈阿密 夏威夷 拉斯维加斯 墨西哥城
哈瓦那 利马 波哥大 圣地亚哥 布宜诺斯艾利斯 里约热内卢 圣保罗 内罗毕 拉各斯 约翰内斯堡 开普敦 卡萨布兰卡 突尼斯 亚的斯亚贝巴 日本 韩国 泰国
越南 印度 法国 德国 英国 美国 加拿大 巴西 埃及 南非 澳大利亚 新西兰 俄罗斯 意大利 西班牙 葡萄牙 荷兰 瑞士 瑞典 挪威 希腊 土耳其 云南 四川
广东 新疆 西藏 海南 山东 东北 内蒙古 乌镇 丽江 大理 敦煌 喀什 义乌 唐山 保定 徐州 扬州 绍兴 泉州 潮州 汕头 柳州 遵义 宜昌 襄阳 岳阳 赣州
""".split()
SURNAMES_ZH = list("王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段钱汤尹黎易常武乔贺赖龚文")
COLOURS = "red blue green yellow white black orange purple pink grey brown teal crimson ivory turquoise beige gold".split()
COLOURS_ZH = "红色 蓝色 绿色 黄色 白色 黑色 橙色 紫色 粉色 灰色 棕色 米白 天蓝 墨绿 金色 浅灰".split()
LANGUAGES = "Spanish French German Turkish Polish Welsh Greek Hindi Swahili Dutch Finnish Latin Basque Korean".split()
LANGUAGES_ZH = "英语 日语 韩语 法语 德语 俄语 西班牙语 泰语 粤语 藏语".split()
FOODS = """
rye bread;lentil soup;pickled herring;goat cheese;mango;oatmeal;fried rice;sourdough;beetroot;kimchi;tofu;plum
cake;chickpeas;salmon;pumpkin pie;rhubarb;couscous;miso;sauerkraut;blueberries;tahini;anchovies;leek;brownies
duck;pancakes;okra;figs;custard;venison;gnocchi;cauliflower;halloumi;tapioca;marmalade;papaya;spinach;ginger tea
dumplings;paprika;walnuts;scones;squid;porridge;avocado;eel;granola;chestnuts;yoghurt;lamb stew;apricots;quinoa
""".replace("\n", ";").strip(";").split(";")
FOODS_ZH = """
红烧肉 饺子 豆腐脑 酸菜鱼 糖醋排骨 小笼包 臭豆腐 绿豆糕 汤圆 粽子 螺蛳粉 凉皮 烤鸭 腊肠 皮蛋 木耳 山药 莲藕 韭菜 香菇 海带 虾皮 牛腩
馄饨 煎饼 年糕 月饼 银耳羹 酸梅汤 豆浆 油条 热干面 白切鸡 鱼香肉丝 番茄炒蛋 醪糟 春卷 桂花糕 羊肉泡馍 冰糖葫芦 榴莲 荔枝 枇杷 柿饼
""".split()
ANIMALS = """
hedgehog otter badger lynx puffin moose alpaca gecko heron stoat bison wombat toucan ferret beaver newt magpie
mole marmot pelican tapir weasel falcon hamster budgie tortoise iguana raccoon coyote walrus kestrel donkey
""".split()
ANIMALS_ZH = "刺猬 水獭 獾 松鼠 麻雀 喜鹊 穿山甲 乌龟 壁虎 蜗牛 鹦鹉 仓鼠 羊驼 河马 鸵鸟 孔雀 白鹭 黄鼠狼 蝙蝠 泥鳅 萤火虫 螳螂 驴 骆驼".split()
IDIOMS_ZH = "一心一意 画蛇添足 守株待兔 亡羊补牢 井底之蛙 对牛弹琴 马到成功 水落石出 半途而废 铁杵成针 掩耳盗铃 胸有成竹 风和日丽 雪中送炭".split()
UNITS = "metres;kilos;litres;hours;miles;furlongs;bushels;acres;fathoms;stone;pints;knots".split(";")
UNITS_ZH = "米 公斤 升 小时 里 亩 斤 丈 海里 平方米".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
DAYS_ZH = "星期一 星期二 星期三 星期四 星期五 星期六 星期日".split()
MONTHS = "January February March April May June July August September October November December".split()
