import { inflateSync } from 'node:zlib'
import sharp from 'sharp'
import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { describe, expect, test, vi } from 'vitest'
import { sampleReport } from '../../../../test/support/periodic-report.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import type { PdfDocument } from './document.ts'
import { renderReportPdf } from './render-pdf.ts'

// Each report takes a busy machine seconds.
vi.setConfig({ testTimeout: 120_000 })

const brand = { name: 'Fjordlicht Agentur', color: '#ffd400', logo: null }
const about: PdfDocument = {
  title: 'sc-domain:lumenandloom.example',
  brand: null,
  paper: 'a4',
  kind: 'month',
  period: { start: '2026-10-01', end: '2026-10-31' },
  reports: [sampleReport('sc-domain:lumenandloom.example')],
  missing: [],
  link: null,
}

// The reader takes ownership of the bytes it gets.
const open = (pdf: Uint8Array) => getDocumentProxy(Uint8Array.from(pdf))

async function textOf(pdf: Uint8Array): Promise<string> {
  const { text } = await extractText(await open(pdf), { mergePages: true })
  return text.normalize('NFKC').replaceAll(/\s+/g, ' ')
}

/** All bytes of a file, including decompressed streams. */
function unpacked(pdf: Uint8Array): Buffer[] {
  const file = Buffer.from(pdf)
  const parts = [file]
  for (let at = file.indexOf('stream\n'); at >= 0; at = file.indexOf('stream\n', at + 7)) {
    const end = file.indexOf('\nendstream', at)
    try {
      parts.push(inflateSync(file.subarray(at + 7, end)))
    } catch {
      // Not compressed.
    }
  }
  return parts
}

const holds = (pdf: Uint8Array, text: string): boolean => {
  const bytes = Buffer.from(text, 'utf16le').swap16()
  return unpacked(pdf).some((part) => part.toString('latin1').toLowerCase().includes(text.toLowerCase()) || part.includes(bytes))
}

/** Glyph numbers drawn from embedded fonts: 0 is the box. */
function glyphsDrawn(pdf: Uint8Array): number[] {
  const shown = unpacked(pdf).flatMap((part) => [...part.toString('latin1').matchAll(/\[((?:<[0-9a-f]+>[\s\d.-]*)+)\] TJ/g)])
  const hex = shown.flatMap(([, list = '']) => [...list.matchAll(/<([0-9a-f]+)>/g)].map(([, codes = '']) => codes))
  return hex.flatMap((codes) => codes.match(/.{4}/g) ?? []).map((code) => Number.parseInt(code, 16))
}

test('lists don’t compare figures that Google counted differently, and say why', async () => {
  const days = { period: { start: '2026-05-01', end: '2026-05-31' }, previous: { start: '2026-04-01', end: '2026-04-30' } }
  const text = await textOf(await renderReportPdf({ ...about, period: days.period, reports: [sampleReport('x', {}, days)] }))
  expect(text).toContain('/collections/trail-running 1,722 8.2% 46,494 3.70% 4.2')
  expect(text).toContain("Impressions, CTR and position can't be compared: Google counted differently on some of these days.")
})

describe('the PDF of one property', () => {
  const drawn = renderReportPdf({ ...about, link: 'https://seen.example/shared/abc' })

  test('contains the figures, the days and the comparison as selectable text', async () => {
    const text = await textOf(await drawn)
    const { totals, previousTotals, lastYearTotals } = sampleReport('x')
    for (const { clicks, impressions } of [totals, previousTotals, lastYearTotals].filter((each) => each !== null)) {
      expect(text).toContain(clicks.toLocaleString('en-US'))
      expect(text).toContain(impressions.toLocaleString('en-US'))
    }
    expect(text).toContain('Monthly report · Google Search performance')
    expect(text).toContain('1–31 Oct 2026, compared with 1–30 Sep 2026 and 1–31 Oct 2025. Data is complete through 19 Nov 2026.')
    for (const heading of [
      'Top pages',
      'Rising and falling pages',
      'Top keywords',
      'Rising and falling keywords',
      'Opportunities',
      'Alerts',
    ])
      expect(text).toContain(heading)
    expect(text).toContain('/collections/trail-running 1,722 8.2% 46,494 6.3% 3.70% 4.2 5.2')
    expect(text).toContain('14–22 Oct 2026: Google: October 2026 core update')
    expect(text).toContain('16 Oct 2026 · Recovered 24 Oct 2026')
    expect(text).toContain('https://seen.example/shared/abc')
    expect(text).toContain('Page 1 of 3')
    // Without a brand, ours is shown.
    expect(text).toContain('Ranklark')
  })

  test('has a language and title for screen readers, and bookmarks', async () => {
    const pdf = await drawn
    const proxy = await open(pdf)
    const { info } = await getMeta(proxy)
    expect(info).toMatchObject({ Title: 'lumenandloom.example: October 2026', Language: 'en' })
    const outline = await proxy.getOutline()
    expect(outline.map(({ title }) => title)).toEqual(['lumenandloom.example'])
    expect(outline[0]?.items.map(({ title }) => title)).toContain('Top pages')
    const tree = JSON.stringify(await (await proxy.getPage(1)).getStructTree())
    expect(tree).toContain('Clicks by day, 1–31 Oct 2026: 10,473 in total')
  })

  test('embeds its fonts', async () => {
    const fonts = Buffer.from(await drawn)
      .toString('latin1')
      .match(/\/Type \/FontDescriptor[\s\S]*?endobj/g)
    expect(fonts?.length).toBeGreaterThan(1)
    for (const font of fonts ?? []) expect(font).toContain('/FontFile2')
  })
})

test.each([['a4', 595.28, 841.89], ...inFull([['letter', 612, 792]])] as const)(
  '%s pages all have that paper size',
  async (paper, width, height) => {
    const proxy = await open(await renderReportPdf({ ...about, paper }))
    for (let number = 1; number <= proxy.numPages; number++) {
      const { view } = await proxy.getPage(number)
      expect(view[2]).toBeCloseTo(width, 1)
      expect(view[3]).toBeCloseTo(height, 1)
    }
  },
)

test('names in any script are drawn as letters, never boxes, and can be copied as text', async () => {
  const keywords = [
    'Žluťoučký kůň đặc biệt',
    'кроссовки для бега ёлка',
    'αθλητικά παπούτσια ἀγαθός',
    '跑步鞋 优化 繁體網站',
    'ランニングシューズ 峠 読売 鰯',
    '러닝화 추천 뷁',
    'running 👟 🧑 ☀️',
    '->  =>  10x20 != fi',
  ]
  const pages = [
    'https://shop.example/%E6%97%A5%E6%9C%AC%E8%AA%9E/страница?q=ё',
    'https://shop.example/straße-φ',
    ...keywords.map((_, index) => `https://shop.example/${index}`),
  ]
  const pdf = await renderReportPdf({
    ...about,
    title: '日本語 Ελληνικά 👟',
    reports: [sampleReport('https://пример.example/', { keywords, pages })],
  })
  const text = await textOf(pdf)
  for (const keyword of keywords) expect(text).toContain(keyword.normalize('NFKC').replaceAll(/\s+/g, ' ').replace('\uFE0F', ''))
  expect(text).toContain('/日本語/страница?q=ё')
  expect(text).toContain('日本語 Ελληνικά 👟')
  const glyphs = glyphsDrawn(pdf)
  expect(glyphs.length).toBeGreaterThan(1_000)
  expect(glyphs).not.toContain(0)
})

test('right-to-left, joined and stacked scripts are drawn too', { tags: ['full'] }, async () => {
  const keywords = ['متجر أحذية', 'נעלי ריצה (ספורט) 42', 'รองเท้า', 'जूते']
  const pdf = await renderReportPdf({ ...about, reports: [sampleReport('sc-domain:a.example', { keywords })] })
  const text = await textOf(pdf)
  // Readers put the words of such a line in either order, and see spaces between joined letters.
  for (const word of ['أحذية', 'متجر', 'נעלי', 'ספורט', 'รองเท้า', 'जूते'])
    expect(text.replaceAll(/[\s\p{Cf}]/gu, '')).toContain(word.normalize('NFKC'))
  expect(glyphsDrawn(pdf)).not.toContain(0)
})

test('a character in no font is shown by its code; combining marks and lone surrogates do no harm', { tags: ['full'] }, async () => {
  const keywords = ['த', '\u{E000} private', 'a\u202Eevil\u202C\u200Bb', '\uD800 half', '\u0000\u0007\n control', '']
  const pdf = await renderReportPdf({ ...about, reports: [sampleReport('sc-domain:a.example', { keywords })] })
  const text = await textOf(pdf)
  expect(text).toContain('[U+0BA4]')
  expect(text).toContain('[U+E000] private')
  expect(text).toContain('aevilb')
  expect(glyphsDrawn(pdf)).not.toContain(0)
})

test('a name of any length is cut in the middle and stays on the page', { tags: ['full'] }, async () => {
  const long = `https://shop.example/${'very-long-path-'.repeat(250)}end`
  const names = [long, `${'w'.repeat(3_000)}`, '長'.repeat(2_000), '👨‍👩‍👧'.repeat(400)]
  const alert = { ...sampleReport('x').advanced?.alerts[0], title: `Clicks dropped: ${long}` }
  const report = sampleReport(long, { pages: names, keywords: names })
  const alerts = [alert] as NonNullable<typeof report.advanced>['alerts']
  const advanced = report.advanced && { ...report.advanced, alerts }
  const proxy = await open(await renderReportPdf({ ...about, title: long, missing: names, reports: [{ ...report, advanced }, report] }))
  for (let number = 1; number <= proxy.numPages; number++) {
    const page = await proxy.getPage(number)
    const { items } = await page.getTextContent()
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue
      expect(item.transform[4]).toBeGreaterThanOrEqual(40)
      expect(item.transform[4] + item.width).toBeLessThanOrEqual(595.28 - 40)
    }
  }
})

describe('with a brand', () => {
  test('nothing in the file mentions us', async () => {
    const pdf = await renderReportPdf({ ...about, brand })
    expect(await textOf(pdf)).toContain('Fjordlicht Agentur')
    for (const trace of ['ranklark', 'pdfkit', '#244da8']) expect([trace, holds(pdf, trace)]).toEqual([trace, false])
    const { info } = await getMeta(await open(pdf))
    expect(info).toMatchObject({ Creator: brand.name, Producer: brand.name, Author: brand.name })
    // The search finds what exists.
    expect(holds(pdf, brand.name)).toBe(true)
    expect(holds(await renderReportPdf(about), 'ranklark')).toBe(true)
  })

  test('the file contains its logo', async () => {
    const logo = await sharp({ create: { width: 300, height: 90, channels: 4, background: { r: 20, g: 120, b: 90, alpha: 0.5 } } })
      .png()
      .toBuffer()
    const pdf = await renderReportPdf({ ...about, brand: { ...brand, logo: `data:image/png;base64,${logo.toString('base64')}` } })
    expect(Buffer.from(pdf).toString('latin1')).toMatch(/\/Subtype \/Image[\s\S]*?\/Width 300/)
  })

  test.each([
    ['not a picture', Buffer.from('<svg onload="alert(1)"/>')],
    ...inFull([
      ['truncated', Buffer.from('iVBORw0KGgoAAAANSUhEUgAAASwAAABaCAY', 'base64')],
      ['empty', Buffer.alloc(0)],
    ]),
  ] as const)('a logo that is %s is left out', async (_what, bytes) => {
    const pdf = await renderReportPdf({ ...about, brand: { ...brand, logo: `data:image/png;base64,${bytes.toString('base64')}` } })
    expect(await textOf(pdf)).toContain('Fjordlicht Agentur')
    expect(Buffer.from(pdf).toString('latin1')).not.toContain('/Subtype /Image')
  })
})

test(
  '25 properties are 25 sections listed on the first page, with progress, while the server keeps responding',
  { tags: ['full'] },
  async () => {
    const reports = Array.from({ length: 25 }, (_, index) => sampleReport(`https://shop-${index + 1}.example/`))
    const done: number[] = []
    let turns = 0
    const turning = setInterval(() => (turns += 1), 1)
    const pdf = await renderReportPdf(
      { ...about, title: 'North Star Group', brand, reports, missing: ['sc-domain:late.example'] },
      (count) => done.push(count),
    )
    clearInterval(turning)
    expect(done).toEqual(reports.map((_, index) => index + 1))
    expect(turns).toBeGreaterThan(20)
    const proxy = await open(pdf)
    const outline = await proxy.getOutline()
    const parts = outline.filter(({ title }) => title.startsWith('https://shop-'))
    expect(parts.map(({ title }) => title)).toEqual(reports.map(({ property }) => property))
    const { text } = await extractText(proxy, { mergePages: false })
    expect(text[0]).toContain('late.example')
    const begins = reports.map(({ property }) =>
      text.findIndex((each, index) => index > 0 && each.includes(property) && each.includes('Clicks by day')),
    )
    expect(text[0]?.replaceAll(/\s+/g, ' ')).toContain(begins.map((page) => page + 1).join(' '))
    expect(new Set(begins).size).toBe(25)
  },
)

test('a property without figures, lists, comparison or advanced reporting says so', async () => {
  const nothing = { clicks: 0, impressions: 0, ctr: 0, position: 0 }
  const report = sampleReport(
    'sc-domain:new.example',
    {},
    {
      totals: nothing,
      previousTotals: null,
      lastYearTotals: null,
      days: [],
      previousDays: [],
      annotations: { notes: [], incidents: [], anomalies: [] },
      pages: { count: 0, top: [], stored: true, compared: false },
      keywords: { count: 0, top: [], stored: true, compared: false },
      advanced: null,
      advancedLocked: 'Rising pages are part of the Pro plan.',
    },
  )
  const text = await textOf(await renderReportPdf({ ...about, reports: [report] }))
  expect(text).toContain('no data previous month')
  expect(text).toContain('No pages appeared in search results.')
  expect(text).toContain('Google reports no keywords for these days.')
  expect(text).toContain('Rising pages are part of the Pro plan.')
})

test('pages and keywords with only imported totals are described as missing, not as without impressions', async () => {
  const sample = sampleReport('sc-domain:new.example')
  const none = { count: 0, top: [], stored: false, compared: false }
  const moved = { rising: [], falling: [] }
  const advanced = sample.advanced && { ...sample.advanced, pages: moved, keywords: moved, opportunities: [] }
  const text = await textOf(await renderReportPdf({ ...about, reports: [{ ...sample, pages: none, keywords: none, advanced }] }))
  expect(text).toContain("Top pages Page data isn't available for these days.")
  expect(text).toContain("Rising and falling keywords Keyword data isn't available for every day of this period, so there's no comparison.")
  expect(text).toContain("Opportunities Keyword data isn't available for these days.")
  for (const wrong of ['No page', 'No keyword', 'names no']) expect(text).not.toContain(wrong)
  const before = { ...sample.keywords, compared: false }
  const half = await textOf(await renderReportPdf({ ...about, reports: [{ ...sample, keywords: before, advanced }] }))
  expect(half).toContain("Keyword data isn't available for all days of the previous month, so there's no comparison.")
  expect(half).toContain('Rising and falling pages No pages gained or lost clicks.')
})

test('opportunities of less than one click a week aren’t shown as none', async () => {
  const sample = sampleReport('small.example')
  const opportunities = [{ query: 'red lamp', page: '', position: 6.1, opportunityScore: 0.3 }]
  const report = { ...sample, advanced: sample.advanced && { ...sample.advanced, opportunities } }
  expect(await textOf(await renderReportPdf({ ...about, reports: [report] }))).toContain('red lamp 6.1 +0.3')
})

test('several properties are summed on the first page as in the email, each click once', { tags: ['full'] }, async () => {
  const totals = (clicks: number) => ({ clicks, impressions: clicks * 10, ctr: 0.1, position: 4 })
  const reports = [
    ['https://a.example/shop/', 400],
    ['sc-domain:a.example', 1_000],
    ['https://b.example/', 50],
  ] as const
  const all = reports.map(([name, clicks]) => sampleReport(name, {}, { totals: totals(clicks), previousTotals: totals(500) }))
  const text = await textOf(await renderReportPdf({ ...about, title: 'Ann', reports: all }))
  expect(text).toContain('Combined 1,050 5.0% 10,500 5.0% 4.0 0.0')
  expect(text).toContain('Counted once, as part of another property listed here: https://a.example/shop/.')
  const one = await textOf(await renderReportPdf({ ...about, title: 'Ann', reports: all.slice(0, 2) }))
  expect(one).not.toContain('Combined')
})
