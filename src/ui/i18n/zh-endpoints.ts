/** What is said of models that a server answers with, in Simplified Chinese. */
import type { EndpointWords, enEndpointErrors } from './en-endpoints';

const said = (detail: string) => (detail === '' ? '' : `（${detail}）`);

export const zhEndpointErrors: typeof enEndpointErrors = {
  'endpoint-address': (model) =>
    `Hearth 还不能连接 ${model} 的地址：它在本设备、你的网络上，或未加密。聊天记录都在。请在“模型”页面点该模型的“编辑”，再点“试一试”：在那里一按即可允许。`,
  'endpoint-offline': (model) =>
    `设备处于离线状态，而 ${model} 在另一台电脑上。你的问题还在。请联网后继续，或选择本设备上的模型。`,
  'endpoint-unreachable': (model) =>
    `连不上 ${model} 的服务器：它没有运行、地址不对，或不允许本页面读取。已收到的内容都保留着。请启动它，再到“模型”页面点该模型的“编辑”和“试一试”：那里会显示服务器需要的设置。`,
  'endpoint-key': (model, detail) =>
    `${model} 的服务器需要密钥，或拒绝了这个密钥${said(detail)}。你的问题还在。请在“模型”页面点该模型的“编辑”，填写密钥后继续。`,
  'endpoint-missing': (model, detail) =>
    `服务器在 ${model} 的地址上什么也没有，或没有这个名字的模型${said(detail)}。你的问题还在。请在“模型”页面点该模型的“编辑”和“试一试”：那里列出现有的模型。`,
  'endpoint-busy': (model, seconds) =>
    `${model} 的服务器暂时不接受更多请求，或你的额度已用完。你的问题还在。请等 ${seconds === '' ? '一分钟' : `${seconds} 秒`}再继续。`,
  'endpoint-failed': (model, detail) =>
    `${model} 的服务器出错了${said(detail)}。已收到的内容都保留着。请稍后继续；若再次出错，请查看服务器自己的日志。`,
  'endpoint-cut': (model) => `${model} 的回答中途断开。已收到的内容都保留着。点“继续”即可从那里接着写。`,
  'endpoint-silent': (model) =>
    `${model} 的服务器太久没有发来内容。已收到的都保留着。它可能还在加载模型：请稍等再继续。`,
  'endpoint-too-long': (model) =>
    `${model} 一次写得太多，超出 Hearth 的上限。已收到的内容都保留着。请一次少问一些。`,
  'endpoint-redirect': (model) =>
    `${model} 的服务器把请求转到另一个地址，未经询问，聊天不会发送到那里。你的问题还在。请在“模型”页面点该模型的“编辑”，填写那个地址。`,
  'endpoint-form': (model, detail) =>
    `${model} 地址上的回应不是 OpenAI 的 chat completions 格式${said(detail)}。你的问题还在。请在“模型”页面点该模型的“编辑”，检查地址：大多以 /v1 结尾。`,
  'endpoint-refused': (model, detail) =>
    `${model} 的服务器拒绝了请求${said(detail)}。你的问题还在。若与工具有关，请在“模型”页面关闭该模型的“原生工具调用”；若与图片有关，请关闭“向它展示图片”；若与长度有关，请开始新的聊天。`,
};

export const zhEndpoints: EndpointWords = {
  title: '服务器上的模型',
  hint: 'Ollama、LM Studio、llama.cpp、vLLM，或任何支持 OpenAI chat completions 的服务器：在本设备、你的网络或别处。添加之前不会使用。',
  add: '添加端点',
  edit: '编辑',
  editing: (model) => `编辑 ${model}`,
  remove: '移除',
  fields: {
    address: '地址',
    key: '密钥',
    model: '模型',
    context: '上下文词元数',
    isNative: '原生工具调用',
    canSee: '向它展示图片',
  },
  hints: {
    address: '照程序显示的填写，例如 Ollama 为 http://localhost:11434。',
    key: '仅当服务器需要时填写。它只发往此地址，保存在此浏览器中。',
    keyKept: '已保存一个密钥。留空则保留，也可填写新的。',
    model: '“试一试”会列出服务器上的模型。',
    context: '模型一次能读多少，按服务器启动时的设置。超出的部分，Ollama 会悄悄截掉。',
    isNative: '由服务器自己解析工具调用。关闭后，Hearth 在提示词中请求。',
    canSee: '适用于能看图的模型。关闭后，只告诉模型有一张图片。',
  },
  forgetKey: '忘记密钥',
  tryIt: '试一试',
  trying: (host) => `正在询问 ${host}`,
  save: '保存',
  allow: (origin) => `允许 ${origin} 并试一试`,
  allowing: (origin) =>
    `${origin} 在本设备、你的网络上，或未加密；未经你允许，Hearth 不会请求这样的地址。允许后，工具也可以请求它，但每次都要你同意。`,
  faults: {
    'endpoint-unreachable': (model) => `读不到 ${model} 的服务器：它没有运行、地址不对，或不允许本页面读取。`,
    'endpoint-key': (_, detail) =>
      `服务器需要密钥，或拒绝了这个密钥${said(detail)}。请在上方填写正确的密钥。`,
    'endpoint-missing': (model, detail) =>
      `服务器在此地址上什么也没有，或没有模型 ${model}${said(detail)}。请检查两者，或清空“模型”再试，看看有哪些。`,
    'endpoint-redirect': () => '服务器把请求转到另一个地址。请填写那个地址。',
    'endpoint-form': (_, detail) =>
      `回应不是 OpenAI 的 chat completions 格式${said(detail)}。请检查地址：大多以 /v1 结尾。`,
  },
  found: {
    list: (count) => `服务器列出 ${count} 个模型。`,
    noList: '服务器没有模型列表，请输入名字。',
    chooseModel: '请选择一个模型，再试一次：会请它说一个词。',
    answers: (model) => `${model} 能回答。`,
    streams: '内容边写边到。',
    whole: '回答写完后一次到达。',
    native: '原生工具调用可用。',
    noNative: '原生工具调用不可用，因此 Hearth 在提示词中请求。',
    sees: '能看图片：它说对了一张图片的颜色。',
    seesNone: '不能看图片：它没能说对一张图片的颜色。',
    elsewhere: (host) => `与它的聊天会离开本设备，发往 ${host}。`,
    network: (host) => `与它的聊天发往你自己网络上的 ${host}。`,
    loopback: (host) => `与它的聊天发往本设备上的服务器 ${host}。`,
  },
  asked: {
    native: '原生工具调用。',
    prompt: '工具调用由 Hearth 的提示词请求。',
    pictures: '能看图片。',
  },
  problems: {
    address: '这不是网址。网址形如 http://localhost:11434',
    model: '请选择一个模型，或输入它的名字。',
    known: '此服务器的这个模型已在列表中。',
    context: '须为 512 到 2,000,000 之间的整数。',
  },
  cors: {
    title: '各程序需要的设置',
    hint: (origin) => `服务器须允许本页面（${origin}）读取。请按下面设置，重新启动后再试。`,
    lmStudio: 'LM Studio：Developer → Server settings → “Enable CORS”，或在终端中：',
    ollama: 'Ollama：在启动它的地方设置此变量，然后重新启动：',
    llamaCpp: 'llama.cpp：llama-server 允许所有页面读取，只需运行它：',
    vllm: 'vLLM：这样启动：',
    other: '其他：回应时（包括 OPTIONS）带上此标头：',
    mixed:
      '本页面已加密，而那个地址没有。只有在你为本站允许“本地网络访问”时，浏览器才让这样的页面请求本设备和本地网络；若是别的电脑，请在服务器前加上 https。',
  },
  busy: (model, seconds) =>
    `${model} 的服务器暂时不接受更多请求，${seconds} 秒后会再问一次。可以等，也可以停止。`,
  places: {
    processor: '',
    gpu: '',
    browser: '',
    elsewhere: '会离开本设备',
    network: '在你的网络上',
    loopback: '在本设备上',
  },
};
