import crypto from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished } from 'vitest'
import { problemOf, rowsOf, zipOf } from '../support/import-files.ts'
import { readCsv } from '../support/csv.ts'
import { typistTest } from './typist.ts'

const test = typistTest()

describe('files', () => {
  const chart = 'Date,Clicks,Impressions,CTR,Position\n2026-07-01,1,2,50%,3\n'
  /** A ZIP's file names, replaced where its directory lists them: `at` as the format numbers it. */
  const patched = (zip: Uint8Array, at: number, bytes: number[]): Uint8Array => {
    const copy = Buffer.from(zip)
    for (let from = copy.indexOf('PK\x01\x02', 0, 'latin1'); from >= 0; from = copy.indexOf('PK\x01\x02', from + 4, 'latin1'))
      copy.set(bytes, from + at)
    return copy
  }

  test("a ZIP in a ZIP isn't opened", async () => {
    let nested = zipOf({ 'Chart.csv': chart })
    for (let depth = 0; depth < 10; depth += 1) nested = zipOf({ 'Chart.zip': nested })
    expect((await problemOf(nested)).message).toContain('contains no CSV file')
    expect((await problemOf(zipOf({ 'Chart.csv': nested }))).message).not.toBe('')
  })

  test('a symlink in a ZIP is read as its text', async () => {
    const link = patched(zipOf({ 'Chart.csv': '/etc/passwd' }), 38, [0, 0, 0xff, 0xa1])
    const { message } = await problemOf(link)
    expect(message).not.toContain('root')
  })

  test('an endless line is refused long before its end', async () => {
    const endless = zipOf({
      'Chart.csv': Buffer.concat([Buffer.from('Date,Clicks,Impressions,CTR,Position\n"'), Buffer.alloc(16 * 1024 ** 2, 0x41)]),
    })
    expect(endless.length).toBeLessThan(200_000)
    expect((await problemOf(endless)).message).not.toBe('')
  })

  test("two files with one name don't become one", async () => {
    const twice = Buffer.from(zipOf({ 'a/Chart.csv': chart, 'b/Chart.csv': chart.replace('1,2', '2,2') }))
    for (let at = twice.indexOf('b/Chart'); at >= 0; at = twice.indexOf('b/Chart', at + 1)) twice[at] = 0x61
    expect((await problemOf(twice)).message).toContain('several daily tables')
  })

  test.for([
    '../../../../tmp/escaped.csv',
    '../../../../../../../../tmp/escaped.csv',
    '../escaped.csv',
    '/etc/cron.d/escaped.csv',
    '/tmp/escaped.csv',
    'C:\\Windows\\escaped.csv',
    '..\\..\\escaped.csv',
    'a\r\nescaped.csv',
    'escaped.csv\0.csv',
    '....//....//escaped.csv',
  ])('a file called %j leaves nothing anywhere', async (template, { typist: { app, upload } }) => {
    // A name only used by this test: anything found under it was created by it.
    const name = template.replace('escaped', `escaped-${crypto.randomUUID()}`)
    const targets = targetsOf(name, app.dataDir)
    onTestFinished(() => targets.forEach((target) => rmSync(target, { force: true })))
    expect((await upload('paths', zipOf({ [name]: chart.replaceAll('07-01', '03-01') }), name)).status).toBe(200)
    expect(targets.filter((target) => existsSync(target))).toEqual([])
    expect(readdirSync(path.join(app.dataDir, 'uploads'))).toEqual([])
    expect(readdirSync(app.dataDir).filter((each) => each.includes('escaped'))).toEqual([])
  })

  /** Every place where such a name may lead, wherever a server would put it, as is and after normalization. */
  function targetsOf(name: string, dataDir: string): string[] {
    const uploads = path.join(dataDir, 'uploads')
    const places = [path.join(uploads, 'one'), uploads, dataDir, tmpdir(), process.cwd(), '/']
    const tidied = [name.replaceAll('../', ''), name.replaceAll('\\', '/'), name.replaceAll(/[\0\r\n]/g, ''), name.split('\0')[0] ?? '']
    const last = name.split(/[/\\\0\r\n]/).filter((part) => part.includes('escaped'))
    const written = [name, ...tidied, ...last].filter((each) => !each.includes('\0'))
    return [...new Set(places.flatMap((place) => written.flatMap((each) => [path.resolve(place, each), path.join(place, each)])))]
  }

  test('refused files leave nothing either', async ({ typist: { app, upload } }) => {
    for (const bad of ['', 'PK\x03\x04', 'x'.repeat(100_000), 'Date,Clicks\n2026-03-01,-1'])
      expect((await upload('paths', bad)).status).toBe(400)
    expect(readdirSync(path.join(app.dataDir, 'uploads'))).toEqual([])
  })

  test("a logo's type is that of its content, and none that can contain a script", async ({ typist: { app, person, cookie } }) => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
    await person.send('PUT', '/api/report-brand', { name: 'Mine', color: '#123456', senderName: 'Mine', replyTo: null })
    for (const content of [svg, `\x89PNG\r\n\x1a\n${svg}`, 'GIF89a', '<html>', '%PDF-1.7', `RIFF....WEBP${svg}`]) {
      const answer = await fetch(new URL('/api/report-brand/logo', app.url), {
        method: 'PUT',
        headers: { cookie: cookie, 'content-type': 'image/png' },
        body: Buffer.from(content, 'latin1'),
      })
      expect(answer.status).toBe(400)
    }
  })

  test("a table with all of its rows present isn't a bomb", async () => {
    const days = Array.from({ length: 28 }, (_, day) => `2026-07-${String(day + 1).padStart(2, '0')},1,2,50%,3`)
    expect(await rowsOf(zipOf({ 'Chart.csv': `Date,Clicks,Impressions,CTR,Position\n${days.join('\n')}` }))).toHaveLength(28)
  })
})

describe('spreadsheet formulas', () => {
  const formulas = [
    '=hyperlink("https://evil.example")',
    '+1+1',
    '-1+1',
    '@sum(a1)',
    "=cmd|' /c calc'!a0",
    '="a"&b1',
    '＝1+1',
    '＋1',
    '－1',
    '＠a',
    ' =1+1',
    '\u00A0+1',
    '\uFEFF=1',
    '\u200B@a',
    '\t-1',
    'x;=1+1;y',
    'x\t+1\ty',
  ]
  test('are text in the files that users download', async ({ typist: { person, upload } }) => {
    const quoted = formulas.map((text, at) => `2026-03-14,"${text.replaceAll('"', '""')}",${at + 1},100,5`)
    expect(await upload('formulas', ['date,query,clicks,impressions,position', ...quoted].join('\n'))).toMatchObject({ status: 200 })
    const answer = await person.get('/api/keywords/export.csv?property=formulas')
    expect(answer.status).toBe(200)
    const file = String(answer.body)
    const cells = readCsv(file).flat()
    const unseen = /[\s"\u200B\uFEFF]/g
    const bare = (text: string) => text.replaceAll("'", '').trim()
    for (const text of formulas) {
      // It is there, but changed.
      expect(cells.map(bare)).toContain(bare(text))
      expect(cells).not.toContain(text)
    }
    // Including spreadsheets that split at semicolons or tabs. A negative figure isn't a formula.
    const calculated = [...cells, ...file.split(/[;\t\r\n]/)].filter(
      (cell) => /^[=+\-@＝＋－＠]/.test(cell.replaceAll(unseen, '')) && !/^-[\d.]+$/.test(cell),
    )
    expect(calculated).toEqual([])
  })
})
