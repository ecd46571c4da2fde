import { describe, expect, it } from 'vitest'
import { problemOf, readFile, rowsOf, zipOf } from '../../../../test/support/import-files.ts'

/** 1,234 clicks of 45,678 impressions on 1 July and nothing on 2 July. */
const expected = [
  { date: '2026-07-01', searchType: 'web', values: [], clicks: 1234, impressions: 45678, position: 12.3 },
  { date: '2026-07-02', searchType: 'web', values: [], clicks: 0, impressions: 0, position: 0 },
]

const forms: Record<string, string> = {
  English: 'Date,Clicks,Impressions,CTR,Position\n2026-07-01,1234,45678,2.7%,12.3\n2026-07-02,0,0,0%,0',
  'English with thousands marks': 'Date,Clicks,Impressions,CTR,Position\n2026-07-01,"1,234","45,678",2.7%,12.3\n2026-07-02,0,0,0%,0\n',
  'German, quoted decimal commas':
    'Datum,Klicks,Impressionen,CTR,Position\r\n2026-07-01,1234,45678,"2,7%","12,3"\r\n2026-07-02,0,0,0%,0\r\n',
  'German, semicolons, points for thousands':
    'Datum;Klicks;Impressionen;Klickrate;Position\n01.07.2026;1.234;45.678;2,7 %;12,3\n02.07.2026;0;0;0 %;0\n',
  'French, narrow no-break spaces':
    '\ufeffDate;Clics;Impressions;CTR;Position\n01/07/2026;1\u202f234;45\u202f678;2,7\u202f%;12,3\n13/07/2026;1;2;50\u00a0%;1\n',
  'Spanish, month in words': 'Fecha,Clics,Impresiones,CTR,Posición\n1 de julio de 2026,1234,45678,2.7%,12.3\n2 jul 2026,0,0,0%,0\n',
  'Swiss, apostrophes': 'Data;Clic;Impressioni;CTR;Posizione\n2026-07-01;1’234;45’678;2.7%;12.3\n2026-07-02;0;0;0%;0\n',
  Portuguese: 'Data,Cliques,Impressões,CTR,Posição\n2026-07-01,1234,45678,"2,7%","12,3"\n2026-07-02,0,0,0%,0\n',
  'Turkish, percent sign in front': 'Tarih,Tıklamalar,Gösterimler,TO,Konum\n2026-07-01,1234,45678,"%2,7","12,3"\n2026-07-02,0,0,%0,0\n',
  Japanese: '日付,クリック数,表示回数,CTR,掲載順位\n2026年7月1日,1234,45678,2.7%,12.3\n2026年7月2日,0,0,0%,0',
  'Chinese, full-width digits and tabs':
    '日期\t点击次数\t展示次数\t点击率\t排名\n2026/07/01\t１２３４\t４５６７８\t２.７％\t12.3\n2026/07/02\t0\t0\t0%\t0\n',
  Korean: '날짜,클릭수,노출수,CTR,게재순위\n2026. 7. 1.,1234,45678,2.7%,12.3\n2026. 7. 2.,0,0,0%,0\n',
  Russian: 'Дата;Клики;Показы;CTR;Позиция\n1 июля 2026 г.;1 234;45 678;2,7 %;12,3\n2 июля 2026 г.;0;0;0 %;0\n',
  'Polish genitive months': 'Data;Kliknięcia;Wyświetlenia;CTR;Pozycja\n1 lipca 2026;1 234;45 678;2,7%;12,3\n2 lipca 2026;0;0;0%;0\n',
  'Arabic digits and marks': 'التاريخ,النقرات,مرات الظهور,CTR,الموضع\n2026-07-01,١٬٢٣٤,٤٥٬٦٧٨,٢٫٧٪,١٢٫٣\n2026-07-02,٠,٠,٠٪,٠\n',
  'Indian grouping': 'Date,Clicks,Impressions,CTR,Position\n2026-07-01,1234,"45,678",2.7%,12.3\n2026-07-02,0,0,0%,0\n',
  'a language nobody listed': 'Xdata,Xaa,Xbb,Xcc,Xdd\n2026-07-01,1234,45678,2.7%,12.3\n2026-07-02,0,0,0%,0\n',
  'no CTR': 'Date,Clicks,Impressions,Position\n2026-07-01,1234,45678,12.3\n2026-07-02,0,0,0\n',
  'other order and words': 'Avg. position,Impressions,Clicks,Date\n12.3,45678,1234,2026-07-01\n0,0,0,2026-07-02\n',
  'Excel: sep line, month first, empty rows':
    'sep=;\r\nDate;Clicks;Impressions;CTR;Position\r\n7/1/2026;1234;45678;0.027;12.3\r\n7/2/2026;0;0;0;0\r\n;;;;\r\n7/13/2026;1;2;0.5;3\r\n',
  'times at midnight, floats': 'date,clicks,impressions,position\n2026-07-01 00:00:00,1234.0,45678.0,12.3\n2026-07-02T00:00:00Z,0.0,0.0,\n',
}

describe('the table by date in every format', () => {
  it.each(Object.entries(forms))('%s', async (_name, text) => {
    const rows = await rowsOf(text)
    expect(rows[0]).toEqual(expected[0])
    // Some forms need a different second row to be recognizable.
    expect(rows[1]?.clicks === 0 ? rows[1] : expected[1]).toEqual(expected[1])
  })

  it('reads UTF-16 in both byte orders', async () => {
    const text = `\ufeff${forms['German, quoted decimal commas']}`
    const little = Buffer.from(text, 'utf16le')
    expect(await rowsOf(little)).toEqual(expected)
    expect(await rowsOf(Buffer.from(little).swap16())).toEqual(expected)
  })

  it('recognizes day-first dates once one date shows it', async () => {
    const rows = await rowsOf('date,clicks,impressions,position\n01/07/2026,1,2,3\n02/07/2026,1,2,3\n13/07/2026,1,2,3\n')
    expect(rows.map((row) => row.date)).toEqual(['2026-07-01', '2026-07-02', '2026-07-13'])
  })
})

describe('the ZIP of the Export button', () => {
  const chart = forms['English'] ?? ''
  const files = {
    'Chart.csv': chart,
    'Queries.csv': 'Top queries,Clicks,Impressions,CTR,Position\nshoes,1,2,50%,3\n',
    'Pages.csv': 'Top pages,Clicks,Impressions,CTR,Position\nhttps://x.com/,1,2,50%,3\n',
    'Search appearance.csv': 'Search Appearance,Clicks,Impressions,CTR,Position\n',
    'Filters.csv': 'Filter,Value\nSearch type,Web\nDate,Last 3 months\n',
  }

  it("stores the days and reports what it can't store", async () => {
    const read = await readFile(zipOf(files), 'x.com-Performance-on-Search-2026-11-01.zip')
    expect(read).toEqual({
      rows: expected,
      notes: [
        "Queries.csv has no dates, so its rows can't be stored by day.",
        "Pages.csv has no dates, so its rows can't be stored by day.",
      ],
    })
  })

  it('is read by content, not by name: the Japanese chart is named like a loading time', async () => {
    const rows = await rowsOf(
      zipOf({
        '平均読み込み時間のチャート.csv': forms['Japanese'] ?? '',
        'クエリ.csv': '上位のクエリ,クリック数,表示回数,CTR,掲載順位\n靴,1,2,50%,3\n',
        'フィルタ.csv': 'フィルタ,値\n検索タイプ,画像\n日付,過去 3 か月間\n',
      }),
    )
    expect(rows.map((row) => row.searchType)).toEqual(['image', 'image'])
  })

  it('is found in a folder, next to files that macOS adds', async () => {
    const rows = await rowsOf(
      zipOf({ 'export/Dates.csv': chart, '__MACOSX/export/._Dates.csv': '\u0000\u0005', '.DS_Store': 'x', 'read me.pdf': '%PDF' }),
    )
    expect(rows).toEqual(expected)
  })

  it('counts the days once if chart and table agree, and is refused if they differ', async () => {
    expect(await rowsOf(zipOf({ 'Chart.csv': chart, 'Dates.csv': chart }))).toEqual(expected)
    const other = chart.replace('1234', '1235')
    expect((await problemOf(zipOf({ 'Chart.csv': chart, 'Dates.csv': other }))).message).toContain('differ (Chart.csv, Dates.csv)')
  })

  it('reports that the export was filtered, and gives its search type', async () => {
    const read = await readFile(zipOf({ ...files, 'Filters.csv': 'Filter,Value\nSearch type,Video\nDate,Last 28 days\nPage,+/blog\n' }))
    expect(read).toMatchObject({ rows: [{ searchType: 'video' }, {}] })
    expect('notes' in read && read.notes[0]).toBe('The export was filtered (Page: +/blog), so the stored totals cover only that part.')
  })

  it.each([
    ['Discover', 'discover'],
    ['Google-News', 'googleNews'],
  ])('is recognized as %s by its name, and needs no positions', async (report, searchType) => {
    const read = await readFile(
      zipOf({ 'Chart.csv': 'Date,Clicks,Impressions,CTR\n2026-07-01,1,4,25%\n' }),
      `https___x.com_-Performance-on-${report}-2026-11-01.zip`,
    )
    expect(read).toMatchObject({
      rows: [{ searchType, clicks: 1, position: 0 }],
      notes: [expect.stringContaining('no positions')],
    })
  })

  it('reports errors with the line of the file inside', async () => {
    const bad = zipOf({ ...files, 'Chart.csv': `${chart}\n2026-07-03,5,4,125%,3` })
    expect(await problemOf(bad)).toEqual({ message: 'There are more clicks (5) than impressions (4)', file: 'Chart.csv', line: 4 })
  })

  it('is refused without days', async () => {
    const { 'Chart.csv': _chart, ...rest } = files
    expect((await problemOf(zipOf(rest))).message).toMatch(/^No daily table found in Queries\.csv, Pages\.csv/)
  })
})

describe('the long CSV', () => {
  it('accepts each dimension under common names', async () => {
    const rows = await rowsOf(
      'Date,Landing page,Keyword,Country,Device Category,Clicks,Impressions,Url CTR,Average Position\n' +
        '2026-07-01,https://x.com/a,"red ""shoes"", new",USA,mobile,1,10,10%,2.5\n2026-07-01,https://x.com/a,靴,Deutschland,DESKTOP,0,3,0%,7\n',
    )
    expect(rows).toEqual([
      {
        date: '2026-07-01',
        searchType: 'web',
        values: ['red "shoes", new', 'https://x.com/a', 'usa', 'MOBILE'],
        clicks: 1,
        impressions: 10,
        position: 2.5,
      },
      {
        date: '2026-07-01',
        searchType: 'web',
        values: ['靴', 'https://x.com/a', 'deu', 'DESKTOP'],
        clicks: 0,
        impressions: 3,
        position: 7,
      },
    ])
  })

  it('has search types row by row, and fractions as programs write them', async () => {
    const rows = await rowsOf(
      'date,type,page,clicks,impressions,ctr,position\n2026-07-01,web,/a,1,100000,1e-05,2\n2026-07-01,discover,/a,1,2,0.5,\n2026-07-01,Google News,/a,1,2,0.5,\n',
    )
    expect(rows.map(({ searchType, position }) => [searchType, position])).toEqual([
      ['web', 2],
      ['discover', 0],
      ['googleNews', 0],
    ])
  })

  it('keeps queries intact: quotes, commas, line breaks, emoji, right-to-left', async () => {
    const queries = ['a,b', 'say "hi"', 'two\nlines', '🎈 שלום', ' x ', 'é'.repeat(2000)]
    const text = queries.map((query) => `2026-07-01,"${query.replaceAll('"', '""')}",1,2,3\n`).join('')
    const rows = await rowsOf(`date,query,clicks,impressions,position\n${text}`)
    expect(rows.map((row) => row.values[0])).toEqual(queries)
  })

  it('reports what is left out', async () => {
    const read = await readFile('date,clicks,impressions,ctr,team\n2026-07-01,1,2,50%,a\n')
    expect(read).toMatchObject({
      notes: ['The file has no positions, so these days have none.', 'Columns not stored: team.'],
    })
  })
})
