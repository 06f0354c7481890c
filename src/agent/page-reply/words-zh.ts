/** Chinese. */
import type { PageWords } from './words';

const larger = '更大的模型可以，“模型”页会说明哪个适合这台设备。';

export const chinese: PageWords = {
  abilities: {
    calculator: '算数',
    clock: '查各地的时间',
    fetch_page: '读网页',
    web_search: '上网搜索',
    weather: '查天气',
    remember: '记笔记',
    recall: '查笔记',
  },
  examples: {
    calculator: '2340的17.5%是多少？',
    clock: '东京现在几点？',
    web_search: '搜索北极光',
    weather: '奥斯陆下雨吗？',
    fetch_page: 'https://example.com 上写了什么？',
    remember: '记住我的火车8:15开',
    recall: '在我的笔记里找火车',
  },
  can: (abilities, otherTools) =>
    `我能${[...abilities, ...(otherTools.length > 0 ? [`使用${otherTools.join('、')}`] : [])].join('、')}。`,
  noTools: '这个聊天里没有打开任何工具，所以我能做的不多。在输入框下方的工具菜单里可以打开。',
  failures: {
    refused: '你没有允许，所以我答不了。',
    'refused-often': '你没有允许，所以我答不了。',
    offline: '设备处于离线状态，我没法查。算数和看时间不需要网络。',
    unreachable: '从这里打不开那个页面。',
    'slow-server': '服务器没有及时响应，请稍后再试。',
    'wrong-type': '那个地址没有我能读的网页或文字。',
    'no-text': '那个页面没有我能读的文字。',
    'no-provider': '没有打开任何搜索服务，可在设置的“网页搜索”里打开。',
    address: '我不能访问那个地址。',
    town: '我不知道这个地方。请说附近较大的城市，可在逗号后加上国家。',
    sum: '这个我没算出来：算式没有结果，或者写法不对。',
    'time-limit': '耗时太久，已停止。',
    server: '那个工具的服务器没能做成，卡片上写着原因。',
    'server-away': '那个工具的服务器现在用不了，原因见“工具”页面。',
    'server-lost': '连接中断了，不确定做没做成。再让我做之前请先确认。',
    code: '那个工具没有做成，卡片上写着原因。',
    arguments: '那个工具需要的内容不全，卡片上写着缺什么。',
    result: '那个工具返回的内容无法使用，卡片上写着原因。',
    'note-too-long': '这条太长，记不成笔记。卡片上写着最多多长。',
    'notes-full': '笔记已经满了，请先在“笔记”里删掉一些。',
  },
  nothing: '结果是空的。',
  notes: {
    kept: '已经记下来了，在“笔记”里可以看到。',
    refused: '没有记：你没有允许。',
    none: '你的笔记里没有这些词。',
  },
  whichPlace: '你想知道哪里的天气？说一个城市就行。',
  searchInstead: '这个我自己不知道，不过可以上网搜索。',
  searchFor: (query) => `搜索${query}`,
  replies: {
    greeting: (model, can) => `你好，我是 ${model}，运行在这个标签页里的小模型。${can}`,
    'how-are-you': (_, can) => `我运行得很好，谢谢。${can}`,
    thanks: () => '不客气。',
    'good-night': () => '晚安。这个聊天会留在这台设备上。',
    goodbye: () => '再见。这个聊天会留在这台设备上。',
    identity: (model, can) =>
      `我是 ${model}，一个很小的语言模型，就在这个浏览器标签页里运行。这个应用叫 Hearth。${can}`,
    maker: (model) =>
      `${model} 由 Hearth 的开发者制作，用他们自己写的文字训练。它随这个页面一起到来，在你自己的设备上运行。`,
    nature: (model) => `我是一个电脑程序：${model}，一个很小的语言模型。我没有感情，也没有身体。`,
    ability: (_, can) =>
      `${can}我是很小的模型，请把要求说得简短直接。聊天、写作和编程，请在“模型”页选一个更大的模型。`,
    privacy: () =>
      '你的聊天只存在这台设备的这个浏览器里，别处没有。我也在这里运行，你写给我的内容不会发给任何人。工具要访问别的服务器时，会先让你看到要发送什么；“设置”里的“请求记录”列出每一次请求。能用这个浏览器的人都能看到聊天；“设置”里可以删除全部内容。',
    secret: () =>
      '你写的内容只留在这台设备的这个聊天里，但聊天不是存放秘密的地方：能用这个浏览器的人都能看到。你可以删除这条消息，密码管理器更适合保存这类内容。',
    praise: () => '谢谢夸奖。',
    insult: (_, can) => `抱歉没有做好。我是很小的模型，常常出错。${can}`,
    apology: () => '没关系。',
    laugh: () => '看到你笑，真好。',
    noted: () => '好的。接下来想做什么？',
    birthday: () => '祝你一切顺利。',
    sadness: (model) =>
      `听到这个我很难过。${model} 太小，没法好好陪你聊；可以和信任的人说说，更大的模型也许能帮上一点。`,
    crisis: () =>
      '听到你这样想，我很难过。我只是个小程序，给不了你应得的帮助。请现在就拨打当地的急救或心理援助热线，或者告诉身边的人。',
    bored: (_, can) => `我不太会聊天。${can}要不试试这些：`,
    memory: (model) => `我不像人那样有记忆：${model} 只看得到这个聊天。说过的内容就在上面，会一直留着。`,
    nonsense: (_, can) => `我没看懂这句话。${can}`,
    joke: (model) => `${model} 太小，讲不好笑话。${larger}`,
    writing: (model) => `${model} 太小，写不了文章。${larger}`,
    translation: (model) => `${model} 太小，做不好翻译。${larger}`,
    summary: (model) => `${model} 太小，处理不了这样的文字。${larger}`,
    code: (model) => `${model} 太小，写不了代码。${larger}`,
    picture: (model) => `${model} 只处理文字，不能画图。`,
    opinion: (_, can) => `我是很小的程序，没有自己的看法和感情。${can}`,
    question: (_, can) => `这个我不知道，也不想乱猜。${can}${larger}`,
    why: () => '这个我解释不了。更大的模型可以，“模型”页会说明哪个适合这台设备。',
    statement: (_, can) => `我不太明白你想让我做什么。${can}`,
    unclear: (_, can) => `我不太明白你的意思。${can}`,
    languages: () => '我懂英语和中文。更大的模型会更多语言，“模型”页上有说明。',
    offline: (_, can) =>
      `可以：这个应用加载过一次后，没有网络也能打开，算数和看时间都不需要网络；搜索和读网页需要。${can}`,
    cost: () => '免费，而且开源。不用账号，也不收任何费用。',
    doubt: () => '工具算出来的结果是准确的：回答上方的卡片写着问了什么、得到什么。我说的其他内容可能有错。',
    again: () => '回答下方的“重新回答”可以再问一次，问题下方的“编辑”可以改问题。',
    action: (_, can) => `这个我在标签页里做不了。${can}`,
    units: (_, can) => `没有打开能换算单位的工具，我也不想乱猜。“工具”页里有一个可以添加：“单位换算”。${can}`,
    money: (_, can) => `没有打开能查汇率的工具，我也不想乱猜。“工具”页里有一个可以添加：“货币换算”。${can}`,
    chance: (_, can) =>
      `没有打开能随机的工具，我编出来的数也不随机。“工具”页里有一个可以添加：“随机与骰子”。${can}`,
  },
};
