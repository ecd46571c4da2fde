import type { SearchType } from '../../../../contract/common.ts'
import { fold, remember } from '../bulk/fold.ts'

/** What a column can be. `site` is only compared: a file may hold only one site. */
export type ColumnRole =
  | 'date'
  | 'clicks'
  | 'impressions'
  | 'ctr'
  | 'position'
  | 'query'
  | 'page'
  | 'country'
  | 'device'
  | 'searchType'
  | 'site'

/** Header words in Search Console's languages and of common tools, separated by "|". */
const headers: Record<ColumnRole, string> = {
  date: `date|dates|day|days|data_date|datum|tag|tage|fecha|fechas|data|dia|día|jour|jours|giorno|giorni|dag|dato|datoer|päivämäärä|pvm|päivä|tarih|gün|
    дата|день|дни|日付|日期|日|날짜|일|dzień|den|dátum|nap|ziua|dată|ημερομηνία|ημέρα|תאריך|יום|التاريخ|تاريخ|اليوم|تاریخ|วันที่|วัน|ngày|tanggal|hari|tarikh|kuupäev|datums|दिनांक|तारीख`,
  clicks: `clicks|click|total clicks|url clicks|klicks|klick|clics|clic|clicchi|cliques|klikken|klik|klikk|klikker|klikkaukset|tıklamalar|tıklama|tıklama sayısı|toplam tıklama sayısı|
    клики|кліки|кликове|кликвания|кликови|クリック数|クリック|合計クリック数|点击次数|點擊次數|点击|點擊|클릭수|클릭|kliknięcia|kliknutí|kliknutia|klikovi|kliki|kattintások|kattintás|clicuri|κλικ|
    קליקים|הקלקות|النقرات|نقرات|عدد النقرات|کلیک|کلیک‌ها|จำนวนคลิก|การคลิก|คลิก|lượt nhấp|số lượt nhấp|số lần nhấp|clics totals|klõpsud|klikšķi|paspaudimai|क्लिक`,
  impressions: `impressions|impression|total impressions|impressionen|impresiones|impressioni|impressões|impressoes|vertoningen|weergaven|visningar|exponeringar|visninger|eksponeringer|
    näyttökerrat|näytöt|gösterimler|gösterim|gösterim sayısı|показы|покази|импресии|импресије|表示回数|合計表示回数|展示次数|展示|曝光次數|曝光数|曝光|노출수|노출|wyświetlenia|zobrazení|zobrazenia|
    pojavljivanja|prikazi|megjelenések|megjelenítések|afișări|impresii|εμφανίσεις|προβολές|הופעות|חשיפות|مرات الظهور|عدد مرات الظهور|نمایش|نمایش‌ها|จำนวนการแสดงผล|การแสดงผล|
    lượt hiển thị|số lượt hiển thị|số lần hiển thị|tayangan|impressions totals|näitamised|seansi|parodymai|इंप्रेशन|छापें`,
  ctr: `ctr|click through rate|clickthroughrate|url ctr|site ctr|average ctr|durchschnittliche ctr|klickrate|taux de clics|to|tbm|点击率|點閱率|點擊率|クリック率|평균 ctr|клікабельність|ctr médio|ctr medio|ctr moyen`,
  position: `position|average position|avg position|avg pos|rank|ranking|durchschnittliche position|position moyenne|posición|posición media|posizione|posizione media|posição|posição média|posició|
    positie|gemiddelde positie|placering|posisjon|plassering|sijainti|konum|pozisyon|ortalama konum|позиция|средняя позиция|позиція|позиција|掲載順位|平均掲載順位|排名|平均排名|排序|게재순위|게재 순위|
    평균 게재순위|pozycja|średnia pozycja|pozice|pozícia|pozicija|položaj|pozíció|helyezés|poziție|poziția|θέση|מיקום|الموضع|متوسط الموضع|موقعیت|جایگاه|ตำแหน่ง|อันดับ|vị trí|posisi|kedudukan|positsioon|pozīcija|स्थान|स्थिति`,
  query: `query|queries|top queries|top query|keyword|keywords|search query|search queries|search term|search terms|suchanfrage|suchanfragen|häufigste suchanfragen|requête|requêtes|
    requêtes les plus fréquentes|consulta|consultas|consultas principales|principales consultas|top consultas|principais consultas|query principali|zoekopdracht|zoekopdrachten|populairste zoekopdrachten|
    クエリ|上位のクエリ|查询|热门查询|查詢|熱門查詢|검색어|인기 검색어|запрос|запросы|популярные запросы|sorgu|sorgular|en çok yapılan sorgular|zapytanie|zapytania|najczęstsze zapytania`,
  page: `page|pages|top pages|top page|url|urls|landing page|landing pages|address|webpage|seite|seiten|häufigste seiten|top seiten|pages les plus populaires|página|páginas|páginas principales|
    páginas principais|pagina|pagine|pagine principali|pagina's|populairste pagina's|sida|sidor|side|sider|ページ|上位のページ|网页|排名靠前的网页|網頁|熱門網頁|페이지|인기 페이지|страница|страницы|популярные страницы|
    sayfa|sayfalar|en çok görüntülenen sayfalar|en popüler sayfalar|strona|strony|najpopularniejsze strony`,
  country: `country|countries|country code|land|länder|pays|país|países|paese|paesi|landen|länderna|lande|maa|maat|ülke|ülkeler|страна|страны|країна|国|国家/地区|國家/地區|국가|kraj|kraje|země|zemlja|ország|țară|χώρα|מדינה|البلد|ประเทศ|quốc gia|negara`,
  device: `device|devices|device category|device type|gerät|geräte|appareil|appareils|dispositivo|dispositivos|dispositivi|apparaat|apparaten|enhet|enheter|enhed|enheder|laite|laitteet|cihaz|cihazlar|устройство|устройства|пристрій|
    デバイス|设备|裝置|기기|urządzenie|urządzenia|zařízení|zariadenie|uređaj|eszköz|dispozitiv|συσκευή|מכשיר|الجهاز|อุปกรณ์|thiết bị|perangkat|peranti`,
  searchType: `search type|searchtype|type|search appearance type|suchtyp|art der suche|type de recherche|tipo de búsqueda|tipo di ricerca|tipo de pesquisa|zoektype|söktyp|søgetype|søketype|arama türü|тип поиска|тип пошуку|
    検索タイプ|搜索类型|搜尋類型|검색 유형|typ wyszukiwania|typ vyhledávání|hakutyyppi|tipus de cerca|סוג החיפוש|نوع البحث|ประเภทการค้นหา|loại tìm kiếm|jenis penelusuran`,
  site: `site|site url|property|property url|domain|website|account`,
}

/** First-column headers of charts that aren't by day. */
const spans: Record<'hour' | 'week' | 'month', string> = {
  hour: 'hour|hours|time|stunde|stunden|uhrzeit|zeit|heure|heures|hora|horas|ora|ore|uur|timme|time (hours)|saat|час|время|時間|时间|時段|시간|godzina|hodina',
  week: 'week|weeks|woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|weken|vecka|uge|uke|viikko|hafta|неделя|недели|тиждень|週|周|주|tydzień|týden|hét',
  month:
    'month|months|monat|monate|mois|mes|meses|mês|mese|mesi|maand|maanden|månad|måned|kuukausi|ay|месяц|месяцы|місяць|月|월|miesiąc|měsíc|hónap',
}

const types: Record<SearchType, string> = {
  web: 'web|search|websuche|recherche web|ウェブ|网页|網頁|網路|웹|веб|сеть|интернет|ιστός|אינטרנט|الويب|ويب|เว็บ|verkko|webben|webb|veb',
  image:
    'image|images|bild|bilder|imagen|imágenes|immagine|immagini|imagem|imagens|afbeelding|afbeeldingen|billede|billeder|bilde|kuva|kuvat|görsel|resim|изображения|изображение|картинки|зображення|画像|图片|圖片|이미지|obraz|obrazy|grafika|obrázek|obrázky|kép|imagine|εικόνα|תמונה|صورة|صور|รูปภาพ|hình ảnh|gambar|imatge',
  video: 'video|videos|vidéo|vidéos|vídeo|vídeos|видео|відео|動画|视频|影片|동영상|wideo|βίντεο|סרטון|فيديو|วิดีโอ',
  news: 'news|news tab|nachrichten|actualités|actualité|noticias|notizie|notícias|nieuws|nyheter|nyheder|uutiset|haberler|haber|новости|новини|ニュース|新闻|新聞|뉴스|wiadomości|zprávy|hírek|știri|ειδήσεις|חדשות|الأخبار|أخبار|ข่าว|tin tức|berita|notícies',
  discover: 'discover|google discover',
  googleNews: 'google news|googlenews|google actualités|google noticias|google nachrichten|google ニュース|google 新闻|google 新聞',
}

const devices: Record<'DESKTOP' | 'MOBILE' | 'TABLET', string> = {
  DESKTOP:
    'desktop|computer|pc|ordinateur|ordinateurs|ordenador|computadora|computador|computer desktop|bureau|escritorio|パソコン|电脑|桌面设备|桌機|電腦|컴퓨터|데스크톱|компьютер|компьютеры|пк|masaüstü|komputer|počítač|tietokone|dator|datamaskin',
  MOBILE:
    'mobile|mobil|mobile phone|smartphone|smartphones|phone|móvil|móviles|telemóvel|celular|mobiel|モバイル|スマートフォン|移动设备|手机|行動裝置|모바일|휴대기기|мобильный|мобильные|мобильные устройства|мобільний|telefon|komórka|telefony komórkowe|puhelin|matkapuhelin|cellulare|dispositivi mobili',
  TABLET:
    'tablet|tablets|tablette|tablettes|tableta|tabletas|tabletti|surfplatta|nettbrett|タブレット|平板电脑|平板電腦|태블릿|планшет|планшеты|планшетные пк|tablety',
}

function byWord<Key extends string>(table: Record<Key, string>): ReadonlyMap<string, Key> {
  return new Map(
    (Object.entries(table) as [Key, string][]).flatMap(([key, words]) => words.split('|').map((word) => [fold(word), key] as const)),
  )
}

const roleWords = byWord(headers)
const spanWords = byWord(spans)
const typeWords = byWord(types)
const deviceWords = byWord(devices)

/** The column a header names, in any language known here. */
export const roleOf = remember((header: string): ColumnRole | undefined => roleWords.get(fold(header)))
/** Hours, weeks or months, if a first column's header says so. */
export const spanOf = (header: string): 'hour' | 'week' | 'month' | undefined => spanWords.get(fold(header))
/** A search type by its name in Search Console's UI or API. */
export const searchTypeOf = remember((value: string): SearchType | undefined => typeWords.get(fold(value)))
/** A device as the API names it. */
export const deviceOf = remember((value: string): 'DESKTOP' | 'MOBILE' | 'TABLET' | undefined => deviceWords.get(fold(value)))

type Metric = 'clicks' | 'impressions' | 'ctr' | 'position'
const isMetric = (role: ColumnRole): role is Metric => role === 'clicks' || role === 'impressions' || role === 'ctr' || role === 'position'
/** Longest first. Short words ("to", "rank") occur inside others. */
const metricWords = [...roleWords]
  .flatMap(([word, role]) => (isMetric(role) && !(/^[a-z]*$/.test(word) && word.length < 5 && word !== 'ctr') ? [{ word, role }] : []))
  .toSorted((a, b) => b.word.length - a.word.length)

/** Recognizes clicks, impressions and so on within a longer header, as in "Last 28 days Clicks". */
export const metricIn = remember((header: string): Metric | undefined => {
  const folded = fold(header)
  return metricWords.find(({ word }) => folded.includes(word))?.role
})
