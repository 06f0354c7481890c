/** One true sentence in each language that is recognised and not spoken. */
import type { OtherLanguage } from '../text/language';

/** That the model knows English and Chinese only, and that larger ones on the Models page know more. */
export const otherLanguages: Readonly<Record<OtherLanguage, (model: string) => string>> = {
  fr: (model) =>
    `${model} ne comprend que l’anglais et le chinois. Un modèle plus grand parle aussi français : voyez la page Models.`,
  de: (model) =>
    `${model} versteht nur Englisch und Chinesisch. Ein größeres Modell spricht auch Deutsch: siehe die Seite „Models“.`,
  es: (model) =>
    `${model} solo entiende inglés y chino. Un modelo más grande también habla español: mira la página Models.`,
  it: (model) =>
    `${model} capisce solo l’inglese e il cinese. Un modello più grande parla anche italiano: vedi la pagina Models.`,
  pt: (model) =>
    `${model} só entende inglês e chinês. Um modelo maior também fala português: veja a página Models.`,
  nl: (model) =>
    `${model} begrijpt alleen Engels en Chinees. Een groter model spreekt ook Nederlands: zie de pagina Models.`,
  pl: (model) =>
    `${model} rozumie tylko angielski i chiński. Większy model zna też polski: zobacz stronę Models.`,
  sv: (model) =>
    `${model} förstår bara engelska och kinesiska. En större modell kan även svenska: se sidan Models.`,
  cs: (model) => `${model} rozumí jen anglicky a čínsky. Větší model umí i česky: viz stránku Models.`,
  hu: (model) =>
    `${model} csak angolul és kínaiul ért. Egy nagyobb modell magyarul is tud: lásd a Models oldalt.`,
  ro: (model) =>
    `${model} înțelege doar engleza și chineza. Un model mai mare știe și română: vezi pagina Models.`,
  fi: (model) =>
    `${model} ymmärtää vain englantia ja kiinaa. Suurempi malli osaa myös suomea: katso sivu Models.`,
  da: (model) => `${model} forstår kun engelsk og kinesisk. En større model kan også dansk: se siden Models.`,
  tr: (model) =>
    `${model} yalnızca İngilizce ve Çince anlıyor. Daha büyük bir model Türkçe de bilir: Models sayfasına bakın.`,
  id: (model) =>
    `${model} hanya mengerti bahasa Inggris dan Mandarin. Model yang lebih besar juga mengerti bahasa Indonesia: lihat halaman Models.`,
  vi: (model) =>
    `${model} chỉ hiểu tiếng Anh và tiếng Trung. Mô hình lớn hơn cũng nói tiếng Việt: xem trang Models.`,
  ja: (model) =>
    `${model} は英語と中国語しかわかりません。より大きなモデルなら日本語も使えます。「Models」のページをご覧ください。`,
  ko: (model) =>
    `${model}은(는) 영어와 중국어만 이해합니다. 더 큰 모델은 한국어도 할 수 있습니다. Models 페이지를 보세요.`,
  ru: (model) =>
    `${model} понимает только английский и китайский. Модель побольше знает и русский: см. страницу Models.`,
  uk: (model) =>
    `${model} розуміє лише англійську та китайську. Більша модель знає й українську: див. сторінку Models.`,
  ar: (model) => `${model} يفهم الإنجليزية والصينية فقط. النموذج الأكبر يفهم العربية أيضًا: انظر صفحة Models.`,
  hi: (model) => `${model} केवल अंग्रेज़ी और चीनी समझता है। बड़ा मॉडल हिन्दी भी जानता है: Models पेज देखें।`,
  th: (model) => `${model} เข้าใจเฉพาะภาษาอังกฤษและภาษาจีน โมเดลที่ใหญ่กว่าใช้ภาษาไทยได้ด้วย ดูที่หน้า Models`,
  el: (model) =>
    `Το ${model} καταλαβαίνει μόνο αγγλικά και κινεζικά. Ένα μεγαλύτερο μοντέλο ξέρει και ελληνικά: δείτε τη σελίδα Models.`,
  he: (model) => `${model} מבין רק אנגלית וסינית. מודל גדול יותר יודע גם עברית: ראו את הדף Models.`,
};
