/**
 * Countries, cities and regions in English and Chinese, with their time zones. Each line is a country or territory: its names, then a zone
 * with its places, then the next zone. The first place (a country's capital) represents the whole area. A line that begins with `;`
 * continues the country above. If two places share a name, it belongs to the better known place.
 */
export const placeTable = `
China|中国|PRC|Mainland China|中国大陆; Asia/Shanghai Beijing|北京|Peking|China Standard Time, Shanghai|上海|沪, Guangzhou|广州|Canton|廣州, Shenzhen|深圳, Chengdu|成都, Chongqing|重庆|重慶, Tianjin|天津, Wuhan|武汉|武漢, Hangzhou|杭州, Nanjing|南京
; Asia/Shanghai Xi'an|西安, Suzhou|苏州|蘇州, Qingdao|青岛, Dalian|大连, Xiamen|厦门|Amoy, Shenyang|沈阳, Harbin|哈尔滨, Changsha|长沙, Kunming|昆明, Zhengzhou|郑州, Jinan|济南, Fuzhou|福州, Ningbo|宁波, Hefei|合肥, Nanchang|南昌, Nanning|南宁
; Asia/Shanghai Guiyang|贵阳, Taiyuan|太原, Shijiazhuang|石家庄, Changchun|长春, Lanzhou|兰州, Urumqi|乌鲁木齐, Lhasa|拉萨, Hohhot|呼和浩特, Yinchuan|银川, Xining|西宁, Haikou|海口, Sanya|三亚, Wuxi|无锡, Wenzhou|温州, Dongguan|东莞, Foshan|佛山, Zhuhai|珠海
; Asia/Shanghai Guilin|桂林, Lijiang|丽江, Dali|大理, Yantai|烟台, Xuzhou|徐州, Changzhou|常州, Quanzhou|泉州, Luoyang|洛阳, Kashgar|喀什, Baotou|包头, Shantou|汕头, Yiwu|义乌, Huizhou|惠州, Nantong|南通, Yangzhou|扬州, Shaoxing|绍兴, Jiaxing|嘉兴
; Asia/Shanghai Guangdong|广东, Zhejiang|浙江, Jiangsu|江苏, Sichuan|四川, Hainan|海南, Yunnan|云南, Xinjiang|新疆, Tibet|西藏, Inner Mongolia|内蒙古, Shandong|山东, Henan|河南, Hebei|河北, Hunan|湖南, Hubei|湖北, Fujian|福建, Anhui|安徽, Jiangxi|江西
; Asia/Shanghai Shanxi|山西, Shaanxi|陕西, Gansu|甘肃, Qinghai|青海, Ningxia|宁夏, Guangxi|广西, Guizhou|贵州, Liaoning|辽宁, Heilongjiang|黑龙江, Jilin|吉林
Hong Kong|香港|HK|HKT; Asia/Hong_Kong Kowloon|九龙|九龍
Macau|澳门|Macao|澳門; Asia/Macau Taipa|氹仔
Taiwan|台湾|臺灣|台灣; Asia/Taipei Taipei|台北|臺北, Kaohsiung|高雄, Taichung|台中|臺中, Tainan|台南|臺南, Hsinchu|新竹
Japan|日本|Nippon; Asia/Tokyo Tokyo|东京|東京|JST|Japan Standard Time, Osaka|大阪, Kyoto|京都, Yokohama|横滨|橫濱, Nagoya|名古屋, Sapporo|札幌, Fukuoka|福冈|福岡, Kobe|神户|神戶, Hiroshima|广岛|廣島, Sendai|仙台, Okinawa|冲绳|沖繩|Naha|那霸, Nara|奈良, Hokkaido|北海道, Kitakyushu|北九州, Kanazawa|金泽
South Korea|韩国|韓國|Korea|Republic of Korea; Asia/Seoul Seoul|首尔|首爾|汉城|KST, Busan|釜山|Pusan, Incheon|仁川, Daegu|大邱, Daejeon|大田, Gwangju|光州, Jeju|济州|济州岛
North Korea|朝鲜|北韩|DPRK; Asia/Pyongyang Pyongyang|平壤
Mongolia|蒙古|蒙古国; Asia/Ulaanbaatar Ulaanbaatar|乌兰巴托|Ulan Bator
Singapore|新加坡|SGT|狮城; Asia/Singapore Singapore City|新加坡城
Malaysia|马来西亚|馬來西亞|大马; Asia/Kuala_Lumpur Kuala Lumpur|吉隆坡|KL, Penang|槟城, Johor Bahru|新山, Malacca|马六甲|Melaka, Ipoh|怡保; Asia/Kuching Kota Kinabalu|亚庇, Kuching|古晋
Thailand|泰国|泰國; Asia/Bangkok Bangkok|曼谷, Chiang Mai|清迈|清邁, Phuket|普吉|普吉岛, Pattaya|芭提雅|芭堤雅
Vietnam|越南; Asia/Ho_Chi_Minh Hanoi|河内|河內, Ho Chi Minh City|胡志明市|胡志明|Saigon|西贡, Da Nang|岘港, Hue|顺化, Haiphong|海防, Nha Trang|芽庄
Cambodia|柬埔寨; Asia/Phnom_Penh Phnom Penh|金边, Siem Reap|暹粒
Laos|老挝; Asia/Vientiane Vientiane|万象, Luang Prabang|琅勃拉邦
Myanmar|缅甸|Burma; Asia/Yangon Naypyidaw|内比都, Yangon|仰光|Rangoon, Mandalay|曼德勒
Philippines|菲律宾|菲律賓; Asia/Manila Manila|马尼拉, Cebu|宿务|宿雾, Davao|达沃, Quezon City|奎松, Boracay|长滩岛
Indonesia|印度尼西亚|印尼; Asia/Jakarta Jakarta|雅加达, Bandung|万隆, Surabaya|泗水, Yogyakarta|日惹, Medan|棉兰; Asia/Makassar Bali|巴厘岛|峇里島|Denpasar|登巴萨, Makassar|望加锡; Asia/Jayapura Jayapura|查亚普拉
Brunei|文莱; Asia/Brunei Bandar Seri Begawan|斯里巴加湾
East Timor|东帝汶|Timor-Leste; Asia/Dili Dili|帝力
India|印度; Asia/Kolkata New Delhi|新德里|Delhi|德里|IST|India Standard Time, Mumbai|孟买|孟買|Bombay, Bangalore|班加罗尔|Bengaluru, Kolkata|加尔各答|Calcutta, Chennai|金奈|Madras, Hyderabad|海得拉巴, Pune|浦那, Ahmedabad|艾哈迈达巴德, Jaipur|斋浦尔, Goa|果阿, Agra|阿格拉, Kochi|科钦|Cochin, Lucknow|勒克瑙, Surat|苏拉特, Varanasi|瓦拉纳西
Pakistan|巴基斯坦; Asia/Karachi Islamabad|伊斯兰堡, Karachi|卡拉奇, Lahore|拉合尔, Peshawar|白沙瓦
Bangladesh|孟加拉|孟加拉国; Asia/Dhaka Dhaka|达卡, Chittagong|吉大港
Sri Lanka|斯里兰卡; Asia/Colombo Colombo|科伦坡, Kandy|康提
Nepal|尼泊尔; Asia/Kathmandu Kathmandu|加德满都, Pokhara|博卡拉
Bhutan|不丹; Asia/Thimphu Thimphu|廷布
Maldives|马尔代夫; Indian/Maldives Malé|马累
Afghanistan|阿富汗; Asia/Kabul Kabul|喀布尔, Kandahar|坎大哈
Iran|伊朗; Asia/Tehran Tehran|德黑兰|Teheran, Isfahan|伊斯法罕, Shiraz|设拉子, Mashhad|马什哈德, Tabriz|大不里士
Iraq|伊拉克; Asia/Baghdad Baghdad|巴格达, Basra|巴士拉, Mosul|摩苏尔, Erbil|埃尔比勒
Saudi Arabia|沙特阿拉伯|沙特; Asia/Riyadh Riyadh|利雅得, Jeddah|吉达, Mecca|麦加|Makkah, Medina|麦地那, Dammam|达曼
United Arab Emirates|阿联酋|UAE|阿拉伯联合酋长国; Asia/Dubai Abu Dhabi|阿布扎比, Dubai|迪拜|杜拜, Sharjah|沙迦
Qatar|卡塔尔; Asia/Qatar Doha|多哈
Kuwait|科威特; Asia/Kuwait Kuwait City|科威特城
Bahrain|巴林; Asia/Bahrain Manama|麦纳麦
Oman|阿曼; Asia/Muscat Muscat|马斯喀特, Salalah|塞拉莱
Yemen|也门; Asia/Aden Sanaa|萨那, Aden|亚丁
Israel|以色列; Asia/Jerusalem Jerusalem|耶路撒冷, Tel Aviv|特拉维夫, Haifa|海法, Eilat|埃拉特
Palestine|巴勒斯坦; Asia/Hebron Ramallah|拉马拉; Asia/Gaza Gaza|加沙
Jordan|约旦; Asia/Amman Amman|安曼, Petra|佩特拉
Lebanon|黎巴嫩; Asia/Beirut Beirut|贝鲁特
Syria|叙利亚; Asia/Damascus Damascus|大马士革, Aleppo|阿勒颇
Turkey|土耳其|Türkiye; Europe/Istanbul Ankara|安卡拉, Istanbul|伊斯坦布尔|Constantinople, Izmir|伊兹密尔, Antalya|安塔利亚, Bursa|布尔萨, Cappadocia|卡帕多奇亚
Cyprus|塞浦路斯; Asia/Nicosia Nicosia|尼科西亚, Limassol|利马索尔
Georgia|格鲁吉亚; Asia/Tbilisi Tbilisi|第比利斯, Batumi|巴统
Armenia|亚美尼亚; Asia/Yerevan Yerevan|埃里温
Azerbaijan|阿塞拜疆; Asia/Baku Baku|巴库
Kazakhstan|哈萨克斯坦; Asia/Almaty Astana|阿斯塔纳|Nur-Sultan, Almaty|阿拉木图, Shymkent|奇姆肯特
Uzbekistan|乌兹别克斯坦; Asia/Tashkent Tashkent|塔什干, Samarkand|撒马尔罕, Bukhara|布哈拉
Kyrgyzstan|吉尔吉斯斯坦; Asia/Bishkek Bishkek|比什凯克
Tajikistan|塔吉克斯坦; Asia/Dushanbe Dushanbe|杜尚别
Turkmenistan|土库曼斯坦; Asia/Ashgabat Ashgabat|阿什哈巴德
Russia|俄罗斯|俄羅斯|俄国|Russian Federation; Europe/Moscow Moscow|莫斯科|MSK, Saint Petersburg|圣彼得堡|St Petersburg, Kazan|喀山, Sochi|索契, Nizhny Novgorod|下诺夫哥罗德, Murmansk|摩尔曼斯克, Rostov-on-Don|顿河畔罗斯托夫; Europe/Kaliningrad Kaliningrad|加里宁格勒; Europe/Samara Samara|萨马拉
; Asia/Yekaterinburg Yekaterinburg|叶卡捷琳堡|Ekaterinburg, Chelyabinsk|车里雅宾斯克, Ufa|乌法; Asia/Omsk Omsk|鄂木斯克; Asia/Novosibirsk Novosibirsk|新西伯利亚; Asia/Krasnoyarsk Krasnoyarsk|克拉斯诺亚尔斯克; Asia/Irkutsk Irkutsk|伊尔库茨克, Lake Baikal|贝加尔湖
; Asia/Yakutsk Yakutsk|雅库茨克; Asia/Vladivostok Vladivostok|符拉迪沃斯托克|海参崴, Khabarovsk|哈巴罗夫斯克|伯力; Asia/Sakhalin Sakhalin|萨哈林|库页岛; Asia/Magadan Magadan|马加丹; Asia/Kamchatka Petropavlovsk-Kamchatsky|堪察加|Kamchatka
United Kingdom|英国|英國|UK|Great Britain|Britain|GB; Europe/London London|伦敦|倫敦|BST, England|英格兰, Scotland|苏格兰, Wales|威尔士, Northern Ireland|北爱尔兰, Manchester|曼彻斯特, Birmingham|伯明翰, Liverpool|利物浦, Edinburgh|爱丁堡, Glasgow|格拉斯哥, Leeds|利兹, Bristol|布里斯托|布里斯托尔
; Europe/London Oxford|牛津, Cambridge|剑桥, Belfast|贝尔法斯特, Cardiff|加的夫|卡迪夫, Newcastle|纽卡斯尔, Sheffield|谢菲尔德, Nottingham|诺丁汉, Southampton|南安普顿, Brighton|布莱顿, York|约克, Bath|巴斯, Leicester|莱斯特, Aberdeen|阿伯丁
Ireland|爱尔兰; Europe/Dublin Dublin|都柏林, Cork|科克, Galway|戈尔韦, Limerick|利默里克
France|法国|法國; Europe/Paris Paris|巴黎, Marseille|马赛, Lyon|里昂|Lyons, Nice|尼斯, Toulouse|图卢兹, Bordeaux|波尔多, Strasbourg|斯特拉斯堡, Lille|里尔, Nantes|南特, Cannes|戛纳|康城, Montpellier|蒙彼利埃, Grenoble|格勒诺布尔, Avignon|阿维尼翁, Corsica|科西嘉
Monaco|摩纳哥; Europe/Monaco Monte Carlo|蒙特卡洛
Germany|德国|德國|Deutschland; Europe/Berlin Berlin|柏林|CET, Munich|慕尼黑|München, Hamburg|汉堡, Frankfurt|法兰克福, Cologne|科隆|Köln, Stuttgart|斯图加特, Düsseldorf|杜塞尔多夫|Duesseldorf, Dresden|德累斯顿, Leipzig|莱比锡, Nuremberg|纽伦堡|Nürnberg, Hanover|汉诺威|Hannover, Bremen|不来梅, Bonn|波恩
; Europe/Berlin Heidelberg|海德堡, Dortmund|多特蒙德, Essen|埃森, Aachen|亚琛, Karlsruhe|卡尔斯鲁厄, Freiburg|弗莱堡
Netherlands|荷兰|荷蘭|Holland|The Netherlands; Europe/Amsterdam Amsterdam|阿姆斯特丹, Rotterdam|鹿特丹, The Hague|海牙|Den Haag, Utrecht|乌得勒支, Eindhoven|埃因霍温, Delft|代尔夫特, Leiden|莱顿
Belgium|比利时; Europe/Brussels Brussels|布鲁塞尔|Bruxelles, Antwerp|安特卫普, Ghent|根特, Bruges|布鲁日, Leuven|鲁汶
Luxembourg|卢森堡; Europe/Luxembourg Luxembourg City|卢森堡市
Switzerland|瑞士; Europe/Zurich Bern|伯尔尼|Berne, Zurich|苏黎世, Geneva|日内瓦|Genève, Basel|巴塞尔, Lausanne|洛桑, Lucerne|卢塞恩|琉森, Interlaken|因特拉肯, Davos|达沃斯, Lugano|卢加诺
Liechtenstein|列支敦士登; Europe/Vaduz Vaduz|瓦杜兹
Austria|奥地利; Europe/Vienna Vienna|维也纳|Wien, Salzburg|萨尔茨堡, Innsbruck|因斯布鲁克, Graz|格拉茨, Linz|林茨, Hallstatt|哈尔施塔特
Italy|意大利|Italia; Europe/Rome Rome|罗马|Roma|羅馬, Milan|米兰|Milano, Venice|威尼斯|Venezia, Florence|佛罗伦萨|Firenze, Naples|那不勒斯|Napoli, Turin|都灵|Torino, Bologna|博洛尼亚, Genoa|热那亚, Verona|维罗纳, Pisa|比萨, Palermo|巴勒莫, Sicily|西西里, Sardinia|撒丁岛, Bari|巴里, Trieste|的里雅斯特
Vatican City|梵蒂冈|Vatican; Europe/Vatican Holy See|教廷
San Marino|圣马力诺; Europe/San_Marino City of San Marino|圣马力诺市
Malta|马耳他; Europe/Malta Valletta|瓦莱塔
Spain|西班牙; Europe/Madrid Madrid|马德里, Barcelona|巴塞罗那, Seville|塞维利亚|Sevilla, Valencia|瓦伦西亚, Granada|格拉纳达, Bilbao|毕尔巴鄂, Malaga|马拉加, Zaragoza|萨拉戈萨, Ibiza|伊维萨, Mallorca|马略卡|Palma|Majorca; Atlantic/Canary Canary Islands|加那利群岛|Las Palmas|Tenerife
Andorra|安道尔; Europe/Andorra Andorra la Vella|安道尔城
Gibraltar|直布罗陀; Europe/Gibraltar Rock of Gibraltar|直布罗陀岩
Portugal|葡萄牙; Europe/Lisbon Lisbon|里斯本|Lisboa, Porto|波尔图, Coimbra|科英布拉, Faro|法鲁; Atlantic/Madeira Madeira|马德拉|Funchal; Atlantic/Azores Azores|亚速尔|Ponta Delgada
Denmark|丹麦; Europe/Copenhagen Copenhagen|哥本哈根|København, Aarhus|奥胡斯, Odense|欧登塞
Sweden|瑞典; Europe/Stockholm Stockholm|斯德哥尔摩, Gothenburg|哥德堡|Göteborg, Malmö|马尔默, Uppsala|乌普萨拉, Kiruna|基律纳
Norway|挪威; Europe/Oslo Oslo|奥斯陆, Bergen|卑尔根, Trondheim|特隆赫姆, Tromsø|特罗姆瑟, Stavanger|斯塔万格; Arctic/Longyearbyen Svalbard|斯瓦尔巴|Longyearbyen|朗伊尔城
Finland|芬兰; Europe/Helsinki Helsinki|赫尔辛基|EET, Tampere|坦佩雷, Turku|图尔库, Rovaniemi|罗瓦涅米, Espoo|埃斯波
Iceland|冰岛; Atlantic/Reykjavik Reykjavik|雷克雅未克
Greenland|格陵兰|格陵兰岛; America/Nuuk Nuuk|努克|Godthåb
Faroe Islands|法罗群岛; Atlantic/Faroe Tórshavn|托尔斯港
Poland|波兰; Europe/Warsaw Warsaw|华沙|Warszawa, Krakow|克拉科夫|Cracow, Gdansk|格但斯克, Wroclaw|弗罗茨瓦夫, Poznan|波兹南, Lodz|罗兹
Czech Republic|捷克|Czechia; Europe/Prague Prague|布拉格|Praha, Brno|布尔诺, Ostrava|俄斯特拉发
Slovakia|斯洛伐克; Europe/Bratislava Bratislava|布拉迪斯拉发
Hungary|匈牙利; Europe/Budapest Budapest|布达佩斯, Debrecen|德布勒森
Romania|罗马尼亚; Europe/Bucharest Bucharest|布加勒斯特|București, Cluj-Napoca|克卢日, Timisoara|蒂米什瓦拉
Bulgaria|保加利亚; Europe/Sofia Sofia|索非亚, Varna|瓦尔纳, Plovdiv|普罗夫迪夫
Moldova|摩尔多瓦; Europe/Chisinau Chisinau|基希讷乌
Ukraine|乌克兰; Europe/Kyiv Kyiv|基辅|Kiev, Lviv|利沃夫, Odesa|敖德萨|Odessa, Kharkiv|哈尔科夫, Dnipro|第聂伯罗
Belarus|白俄罗斯; Europe/Minsk Minsk|明斯克
Lithuania|立陶宛; Europe/Vilnius Vilnius|维尔纽斯, Kaunas|考纳斯
Latvia|拉脱维亚; Europe/Riga Riga|里加
Estonia|爱沙尼亚; Europe/Tallinn Tallinn|塔林, Tartu|塔尔图
Greece|希腊; Europe/Athens Athens|雅典|Athina, Thessaloniki|塞萨洛尼基, Santorini|圣托里尼, Crete|克里特|Heraklion, Mykonos|米科诺斯, Rhodes|罗得岛
Albania|阿尔巴尼亚; Europe/Tirane Tirana|地拉那
North Macedonia|北马其顿|Macedonia; Europe/Skopje Skopje|斯科普里
Serbia|塞尔维亚; Europe/Belgrade Belgrade|贝尔格莱德|Beograd, Novi Sad|诺维萨德
Kosovo|科索沃; Europe/Belgrade Pristina|普里什蒂纳
Montenegro|黑山; Europe/Podgorica Podgorica|波德戈里察, Kotor|科托尔
Bosnia and Herzegovina|波黑|Bosnia|波斯尼亚; Europe/Sarajevo Sarajevo|萨拉热窝, Mostar|莫斯塔尔
Croatia|克罗地亚; Europe/Zagreb Zagreb|萨格勒布, Split|斯普利特, Dubrovnik|杜布罗夫尼克
Slovenia|斯洛文尼亚; Europe/Ljubljana Ljubljana|卢布尔雅那, Bled|布莱德
United States|美国|美國|USA|US|America|United States of America; America/New_York Washington|华盛顿|华盛顿特区|Washington DC|DC, New York|纽约|紐約|NYC|New York City, Manhattan|曼哈顿, Brooklyn|布鲁克林, Eastern Time|美国东部|美东|ET|EST|EDT|Eastern, Boston|波士顿, Miami|迈阿密, Atlanta|亚特兰大, Philadelphia|费城, Detroit|底特律
; America/New_York Orlando|奥兰多, Pittsburgh|匹兹堡, Cleveland|克利夫兰, Baltimore|巴尔的摩, Charlotte|夏洛特, Tampa|坦帕, Cincinnati|辛辛那提, Columbus|哥伦布, Buffalo|布法罗, Raleigh|罗利, Jacksonville|杰克逊维尔, Richmond|里士满, Newark|纽瓦克, Princeton|普林斯顿, New Haven|纽黑文, Ithaca|伊萨卡, Rochester|罗切斯特
; America/New_York New Jersey|新泽西, Massachusetts|马萨诸塞|麻省, Pennsylvania|宾夕法尼亚|宾州, Virginia|弗吉尼亚, North Carolina|北卡罗来纳|北卡, South Carolina|南卡罗来纳, Ohio|俄亥俄, Florida|佛罗里达|佛州, Connecticut|康涅狄格, Maryland|马里兰, Michigan|密歇根|密西根, Maine|缅因, Vermont|佛蒙特; America/Indiana/Indianapolis Indianapolis|印第安纳波利斯, Indiana|印第安纳
; America/Chicago Chicago|芝加哥, Central Time|美国中部|美中|CT|CDT|US Central, Houston|休斯敦|休斯顿, Dallas|达拉斯, Austin|奥斯汀, San Antonio|圣安东尼奥, New Orleans|新奥尔良, Minneapolis|明尼阿波利斯, St Louis|圣路易斯|Saint Louis, Kansas City|堪萨斯城, Memphis|孟菲斯, Nashville|纳什维尔, Milwaukee|密尔沃基, Oklahoma City|俄克拉荷马城
; America/Chicago Madison|麦迪逊, Omaha|奥马哈, Fort Worth|沃思堡, Texas|得克萨斯|德州|得州, Illinois|伊利诺伊, Wisconsin|威斯康星, Minnesota|明尼苏达, Missouri|密苏里, Louisiana|路易斯安那, Alabama|阿拉巴马, Iowa|艾奥瓦|爱荷华, Oklahoma|俄克拉荷马, Arkansas|阿肯色, Mississippi|密西西比
; America/Denver Denver|丹佛, Mountain Time|美国山地|MT|MST|MDT, Salt Lake City|盐湖城, Albuquerque|阿尔伯克基, El Paso|埃尔帕索, Boulder|博尔德, Santa Fe|圣菲, Colorado|科罗拉多, Utah|犹他, New Mexico|新墨西哥, Wyoming|怀俄明, Montana|蒙大拿, Yellowstone|黄石; America/Boise Boise|博伊西; America/Phoenix Phoenix|凤凰城, Tucson|图森, Arizona|亚利桑那, Grand Canyon|大峡谷
; America/Los_Angeles Los Angeles|洛杉矶|洛杉磯|LA, San Francisco|旧金山|舊金山|三藩市|SF, Pacific Time|美国西部|美西|PT|PST|PDT|Pacific, Seattle|西雅图|西雅圖, San Diego|圣迭戈|圣地亚哥加州, Las Vegas|拉斯维加斯|Vegas, Portland|波特兰, Sacramento|萨克拉门托, Oakland|奥克兰加州, Silicon Valley|硅谷|矽谷, Palo Alto|帕洛阿尔托
; America/Los_Angeles Hollywood|好莱坞, Berkeley|伯克利, Mountain View|山景城, Cupertino|库比蒂诺, Stanford|斯坦福, Fresno|弗雷斯诺, Irvine|尔湾, Redmond|雷德蒙德, Spokane|斯波坎, Reno|里诺, California|加州|加利福尼亚|Bay Area|湾区, Oregon|俄勒冈, Washington State|华盛顿州, Nevada|内华达
; America/Anchorage Anchorage|安克雷奇, Alaska|阿拉斯加, Fairbanks|费尔班克斯; Pacific/Honolulu Honolulu|檀香山|火奴鲁鲁, Hawaii|夏威夷, Maui|毛伊
Puerto Rico|波多黎各; America/Puerto_Rico San Juan|圣胡安
Guam|关岛; Pacific/Guam Hagåtña|阿加尼亚
Canada|加拿大; America/Toronto Ottawa|渥太华, Toronto|多伦多|多倫多, Montreal|蒙特利尔|滿地可, Quebec City|魁北克城, Hamilton|汉密尔顿, Waterloo|滑铁卢, Ontario|安大略, Quebec|魁北克, Niagara Falls|尼亚加拉瀑布; America/Vancouver Vancouver|温哥华|溫哥華, Victoria|维多利亚, British Columbia|不列颠哥伦比亚|BC, Whistler|惠斯勒
; America/Edmonton Calgary|卡尔加里|卡加利, Edmonton|埃德蒙顿|爱民顿, Banff|班夫, Alberta|阿尔伯塔|艾伯塔; America/Winnipeg Winnipeg|温尼伯, Manitoba|曼尼托巴; America/Regina Regina|里贾纳, Saskatoon|萨斯卡通, Saskatchewan|萨斯喀彻温; America/Halifax Halifax|哈利法克斯, Nova Scotia|新斯科舍, Atlantic Time|大西洋时间|AST
; America/St_Johns St John's|圣约翰斯, Newfoundland|纽芬兰; America/Whitehorse Whitehorse|白马市, Yukon|育空; America/Yellowknife Yellowknife|黄刀镇; America/Iqaluit Iqaluit|伊卡卢伊特
Mexico|墨西哥; America/Mexico_City Mexico City|墨西哥城|CDMX, Guadalajara|瓜达拉哈拉, Puebla|普埃布拉, Acapulco|阿卡普尔科; America/Monterrey Monterrey|蒙特雷; America/Cancun Cancun|坎昆; America/Merida Mérida|梅里达; America/Tijuana Tijuana|蒂华纳; America/Mazatlan Los Cabos|洛斯卡沃斯
Guatemala|危地马拉; America/Guatemala Guatemala City|危地马拉城
Belize|伯利兹; America/Belize Belmopan|贝尔莫潘
El Salvador|萨尔瓦多; America/El_Salvador San Salvador|圣萨尔瓦多
Honduras|洪都拉斯; America/Tegucigalpa Tegucigalpa|特古西加尔巴
Nicaragua|尼加拉瓜; America/Managua Managua|马那瓜
Costa Rica|哥斯达黎加; America/Costa_Rica San José|圣何塞
Panama|巴拿马; America/Panama Panama City|巴拿马城
Cuba|古巴; America/Havana Havana|哈瓦那|La Habana
Jamaica|牙买加; America/Jamaica Kingston|金斯敦, Montego Bay|蒙特哥贝
Haiti|海地; America/Port-au-Prince Port-au-Prince|太子港
Dominican Republic|多米尼加|多米尼加共和国; America/Santo_Domingo Santo Domingo|圣多明各, Punta Cana|蓬塔卡纳
Bahamas|巴哈马|The Bahamas; America/Nassau Nassau|拿骚
Barbados|巴巴多斯; America/Barbados Bridgetown|布里奇敦
Trinidad and Tobago|特立尼达和多巴哥|Trinidad; America/Port_of_Spain Port of Spain|西班牙港
Bermuda|百慕大; Atlantic/Bermuda Hamilton Bermuda|百慕大汉密尔顿
Colombia|哥伦比亚; America/Bogota Bogotá|波哥大, Medellín|麦德林, Cali|卡利, Cartagena|卡塔赫纳
Venezuela|委内瑞拉; America/Caracas Caracas|加拉加斯, Maracaibo|马拉开波
Ecuador|厄瓜多尔; America/Guayaquil Quito|基多, Guayaquil|瓜亚基尔; Pacific/Galapagos Galápagos|加拉帕戈斯
Peru|秘鲁; America/Lima Lima|利马, Cusco|库斯科|Cuzco, Machu Picchu|马丘比丘, Arequipa|阿雷基帕
Bolivia|玻利维亚; America/La_Paz La Paz|拉巴斯, Sucre|苏克雷, Santa Cruz|圣克鲁斯
Chile|智利; America/Santiago Santiago|圣地亚哥, Valparaíso|瓦尔帕莱索, Concepción|康塞普西翁; America/Punta_Arenas Punta Arenas|蓬塔阿雷纳斯; Pacific/Easter Easter Island|复活节岛|Rapa Nui
Argentina|阿根廷; America/Argentina/Buenos_Aires Buenos Aires|布宜诺斯艾利斯, Rosario|罗萨里奥; America/Argentina/Cordoba Córdoba|科尔多瓦; America/Argentina/Mendoza Mendoza|门多萨; America/Argentina/Ushuaia Ushuaia|乌斯怀亚
Uruguay|乌拉圭; America/Montevideo Montevideo|蒙得维的亚
Paraguay|巴拉圭; America/Asuncion Asunción|亚松森
Brazil|巴西|Brasil; America/Sao_Paulo Brasília|巴西利亚, São Paulo|圣保罗, Rio de Janeiro|里约热内卢|里约|Rio, Belo Horizonte|贝洛奥里藏特, Curitiba|库里蒂巴, Porto Alegre|阿雷格里港; America/Bahia Salvador|萨尔瓦多市; America/Recife Recife|累西腓; America/Fortaleza Fortaleza|福塔莱萨; America/Belem Belém|贝伦; America/Manaus Manaus|马瑙斯
Guyana|圭亚那; America/Guyana Georgetown|乔治敦
Suriname|苏里南; America/Paramaribo Paramaribo|帕拉马里博
French Guiana|法属圭亚那; America/Cayenne Cayenne|卡宴
Falkland Islands|福克兰群岛|马尔维纳斯群岛; Atlantic/Stanley Port Stanley|斯坦利港
Australia|澳大利亚|澳洲; Australia/Sydney Canberra|堪培拉, Sydney|悉尼|雪梨|AEST|AEDT, New South Wales|新南威尔士, Wollongong|卧龙岗; Australia/Melbourne Melbourne|墨尔本|墨爾本, Geelong|吉朗; Australia/Brisbane Brisbane|布里斯班, Gold Coast|黄金海岸, Cairns|凯恩斯, Queensland|昆士兰
; Australia/Perth Perth|珀斯, Western Australia|西澳|AWST; Australia/Adelaide Adelaide|阿德莱德, South Australia|南澳|ACST; Australia/Darwin Darwin|达尔文, Alice Springs|爱丽丝泉; Australia/Hobart Hobart|霍巴特, Tasmania|塔斯马尼亚
New Zealand|新西兰|紐西蘭|NZ; Pacific/Auckland Wellington|惠灵顿|NZST|NZDT, Auckland|奥克兰, Christchurch|基督城, Queenstown|皇后镇, Dunedin|达尼丁; Pacific/Chatham Chatham Islands|查塔姆群岛
Papua New Guinea|巴布亚新几内亚; Pacific/Port_Moresby Port Moresby|莫尔兹比港
Fiji|斐济; Pacific/Fiji Suva|苏瓦, Nadi|楠迪
Samoa|萨摩亚; Pacific/Apia Apia|阿皮亚
Tonga|汤加; Pacific/Tongatapu Nuku'alofa|努库阿洛法
Vanuatu|瓦努阿图; Pacific/Efate Port Vila|维拉港
Solomon Islands|所罗门群岛; Pacific/Guadalcanal Honiara|霍尼亚拉
New Caledonia|新喀里多尼亚; Pacific/Noumea Nouméa|努美阿
French Polynesia|法属波利尼西亚; Pacific/Tahiti Papeete|帕皮提|Tahiti|大溪地|塔希提
Kiribati|基里巴斯; Pacific/Tarawa Tarawa|塔拉瓦; Pacific/Kiritimati Kiritimati|圣诞岛基里巴斯
Palau|帕劳; Pacific/Palau Ngerulmud|恩吉鲁穆德, Koror|科罗尔
Nauru|瑙鲁; Pacific/Nauru Yaren|亚伦
Tuvalu|图瓦卢; Pacific/Funafuti Funafuti|富纳富提
Marshall Islands|马绍尔群岛; Pacific/Majuro Majuro|马朱罗
Micronesia|密克罗尼西亚; Pacific/Pohnpei Palikir|帕利基尔
Egypt|埃及; Africa/Cairo Cairo|开罗|開羅, Alexandria|亚历山大, Luxor|卢克索, Giza|吉萨, Sharm el-Sheikh|沙姆沙伊赫, Hurghada|赫尔格达
Libya|利比亚; Africa/Tripoli Tripoli|的黎波里, Benghazi|班加西
Tunisia|突尼斯; Africa/Tunis Tunis|突尼斯市
Algeria|阿尔及利亚; Africa/Algiers Algiers|阿尔及尔, Oran|奥兰
Morocco|摩洛哥; Africa/Casablanca Rabat|拉巴特, Casablanca|卡萨布兰卡, Marrakesh|马拉喀什|Marrakech, Fez|非斯|Fes, Tangier|丹吉尔
Sudan|苏丹; Africa/Khartoum Khartoum|喀土穆
South Sudan|南苏丹; Africa/Juba Juba|朱巴
Ethiopia|埃塞俄比亚; Africa/Addis_Ababa Addis Ababa|亚的斯亚贝巴
Eritrea|厄立特里亚; Africa/Asmara Asmara|阿斯马拉
Djibouti|吉布提; Africa/Djibouti Djibouti City|吉布提市
Somalia|索马里; Africa/Mogadishu Mogadishu|摩加迪沙
Kenya|肯尼亚; Africa/Nairobi Nairobi|内罗毕|EAT, Mombasa|蒙巴萨
Uganda|乌干达; Africa/Kampala Kampala|坎帕拉
Rwanda|卢旺达; Africa/Kigali Kigali|基加利
Burundi|布隆迪; Africa/Bujumbura Gitega|基特加, Bujumbura|布琼布拉
Tanzania|坦桑尼亚; Africa/Dar_es_Salaam Dodoma|多多马, Dar es Salaam|达累斯萨拉姆, Zanzibar|桑给巴尔, Arusha|阿鲁沙
Nigeria|尼日利亚; Africa/Lagos Abuja|阿布贾, Lagos|拉各斯|WAT, Kano|卡诺, Ibadan|伊巴丹
Ghana|加纳; Africa/Accra Accra|阿克拉, Kumasi|库马西
Ivory Coast|科特迪瓦|Côte d'Ivoire; Africa/Abidjan Yamoussoukro|亚穆苏克罗, Abidjan|阿比让
Senegal|塞内加尔; Africa/Dakar Dakar|达喀尔
Mali|马里; Africa/Bamako Bamako|巴马科, Timbuktu|廷巴克图
Burkina Faso|布基纳法索; Africa/Ouagadougou Ouagadougou|瓦加杜古
Niger|尼日尔; Africa/Niamey Niamey|尼亚美
Chad|乍得; Africa/Ndjamena N'Djamena|恩贾梅纳
Mauritania|毛里塔尼亚; Africa/Nouakchott Nouakchott|努瓦克肖特
Gambia|冈比亚; Africa/Banjul Banjul|班珠尔
Guinea|几内亚; Africa/Conakry Conakry|科纳克里
Guinea-Bissau|几内亚比绍; Africa/Bissau Bissau|比绍
Sierra Leone|塞拉利昂; Africa/Freetown Freetown|弗里敦
Liberia|利比里亚; Africa/Monrovia Monrovia|蒙罗维亚
Togo|多哥; Africa/Lome Lomé|洛美
Benin|贝宁; Africa/Porto-Novo Porto-Novo|波多诺伏, Cotonou|科托努
Cameroon|喀麦隆; Africa/Douala Yaoundé|雅温得, Douala|杜阿拉
Gabon|加蓬; Africa/Libreville Libreville|利伯维尔
Equatorial Guinea|赤道几内亚; Africa/Malabo Malabo|马拉博
Central African Republic|中非|中非共和国; Africa/Bangui Bangui|班吉
Republic of the Congo|刚果共和国|刚果布|Congo-Brazzaville; Africa/Brazzaville Brazzaville|布拉柴维尔
DR Congo|刚果民主共和国|刚果金|Democratic Republic of the Congo|DRC|Congo|刚果; Africa/Kinshasa Kinshasa|金沙萨; Africa/Lubumbashi Lubumbashi|卢本巴希, Goma|戈马
Angola|安哥拉; Africa/Luanda Luanda|罗安达
Zambia|赞比亚; Africa/Lusaka Lusaka|卢萨卡, Livingstone|利文斯通
Zimbabwe|津巴布韦; Africa/Harare Harare|哈拉雷, Victoria Falls|维多利亚瀑布, Bulawayo|布拉瓦约
Malawi|马拉维; Africa/Blantyre Lilongwe|利隆圭, Blantyre|布兰太尔
Mozambique|莫桑比克; Africa/Maputo Maputo|马普托
Botswana|博茨瓦纳; Africa/Gaborone Gaborone|哈博罗内
Namibia|纳米比亚; Africa/Windhoek Windhoek|温得和克
South Africa|南非; Africa/Johannesburg Pretoria|比勒陀利亚, Johannesburg|约翰内斯堡|约堡|SAST, Cape Town|开普敦, Durban|德班, Port Elizabeth|伊丽莎白港, Bloemfontein|布隆方丹
Lesotho|莱索托; Africa/Maseru Maseru|马塞卢
Eswatini|斯威士兰|Swaziland; Africa/Mbabane Mbabane|姆巴巴内
Madagascar|马达加斯加; Indian/Antananarivo Antananarivo|塔那那利佛
Mauritius|毛里求斯; Indian/Mauritius Port Louis|路易港
Seychelles|塞舌尔; Indian/Mahe Victoria Seychelles|塞舌尔维多利亚
Réunion|留尼汪; Indian/Reunion Saint-Denis|圣但尼
Comoros|科摩罗; Indian/Comoro Moroni|莫罗尼
Cape Verde|佛得角|Cabo Verde; Atlantic/Cape_Verde Praia|普拉亚
São Tomé and Príncipe|圣多美和普林西比; Africa/Sao_Tome São Tomé|圣多美
McMurdo Station|麦克默多站; Antarctica/McMurdo McMurdo|麦克默多, South Pole|南极点|南极
`;

export interface Place {
  name: string;
  zone: string;
  /** `capital`: the place whose time zone represents the whole area. */
  area: { name: string; capital: string; zones: ReadonlySet<string> };
  isArea: boolean;
}

const plainLetters: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', ı: 'i' };

export const placeIndex: ReadonlyMap<string, Place> = new Map(readPlaces());

/** Removes case, accents, spaces and punctuation. */
export function toPlaceKey(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[øłđßæı]/g, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function* readPlaces(): Generator<[string, Place]> {
  for (const line of placeTable.trim().split(/\n(?!;)/)) {
    const [names = '', ...groups] = line.split(/\s*;\s*/);
    const cities = groups.flatMap((group) => {
      const [zone = '', ...rest] = group.split(' ');
      const entries = rest.join(' ').split(', ');
      return entries.map((entry) => ({ zone, names: entry.split('|') }));
    });
    const [first] = cities;
    if (!first) throw new Error(`No place in "${line}"`);

    const [name = ''] = names.split('|');
    const area = { name, capital: first.names[0] ?? '', zones: new Set(cities.map(({ zone }) => zone)) };
    yield* listPlaceKeys(names.split('|'), { name, zone: first.zone, area, isArea: true });
    for (const city of cities) {
      yield* listPlaceKeys(city.names, { name: city.names[0] ?? '', zone: city.zone, area, isArea: false });
    }
  }
}

function* listPlaceKeys(names: readonly string[], place: Place): Generator<[string, Place]> {
  for (const name of names) yield [toPlaceKey(name), place];
}
