import { describe, expect } from 'vitest'
import { inFull } from '../support/in-full.ts'
import { reportEmail } from '../../src/server/reports/report-email.ts'
import { helper, typistTest } from './typist.ts'

const test = typistTest()

describe('markup and newlines in input', () => {
  const markup = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`
  const lines = 'Hello\r\nBcc: all@victims.example\r\n\r\n<p>'

  test('are text in emails, and add nothing to their headers', async ({ typist: { app, person } }) => {
    // Only a confirmed address gets a receipt.
    await (await app.stores()).sql(`UPDATE users SET email_verified = true WHERE email = 'typist@example.test'`)
    for (const subject of [markup, lines]) {
      await app.mail.clear()
      const sent = await person.send('POST', '/api/support', { subject, message: `${markup}\n${lines}`, diagnostics: [] })
      expect(sent.status).toBe(202)
      for (const to of [helper, 'typist@example.test']) {
        const mail = await app.mail.mailTo(to)
        expect(mail.html).not.toMatch(/<script|<img|onerror=alert\(1\)>/)
        expect(mail.header('bcc')).toBeUndefined()
        expect(mail.subject).not.toMatch(/[\r\n]/)
      }
    }
    expect(await app.mail.mails('all@victims.example')).toEqual([])
  })

  test('are text in report emails, in everything that comes from users', () => {
    for (const word of [markup, lines, '</style><style>*{display:none}', '\u202Etxt.exe']) {
      const figures = { clicks: 1, impressions: 2, ctr: 50, position: 3 }
      const { html, subject, text } = reportEmail({
        content: {
          title: word,
          kind: 'week',
          period: { start: '2026-03-09', end: '2026-03-15' },
          properties: [word, word],
          within: [word],
          partial: [word],
          totals: figures,
          previousTotals: figures,
          notComparable: [],
          movers: [{ property: word, what: 'page', name: word, clicks: 1, previous: 2 }],
          alertCount: 1,
          missing: [word],
          notStored: { pages: [word], keywords: [word] },
          brand: { name: word, colour: '#123456', senderName: word, replyTo: null },
        },
        logo: null,
        username: word,
        baseUrl: 'https://rank.example',
        page: 'https://rank.example/shared/x',
        unsubscribePage: 'https://rank.example/unsubscribe?token=a.b',
      })
      expect(html).not.toMatch(/<script|<img|<style>\*|\sonerror="/)
      expect(html.match(/<style>/g)).toHaveLength(1)
      expect(subject).not.toMatch(/[\p{Cc}\u202A-\u202E]/u)
      expect(text).not.toMatch(/^Bcc:/m)
    }
  })

  test('are returned as JSON that no browser treats as a page', async ({ typist: { person } }) => {
    const typed: [string, object][] = [
      ['/api/annotations', { date: '2026-03-10', text: markup, property: null }],
      ['/api/keys', { name: markup, scope: 'read', days: 1 }],
    ]
    for (const [place, body] of typed) {
      const made = await person.send('POST', place, body)
      expect(made.status).toBe(201)
      const { headers } = await person.get(place)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test.for(['a"; filename="evil.html', '../../evil', ...inFull(["a'*=utf-8''b", '<script>', 'ä€😀', 'a;b,c'])])(
    'a property called %j produces one header, and a file with one name',
    async (name, { typist: { person, upload } }) => {
      const made = await upload(name, 'date,query,clicks,impressions,position\n2026-03-14,x,1,2,3')
      expect(made.status).toBe(200)
      const answer = await person.get(`/api/keywords/export.csv?property=${encodeURIComponent(name)}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w%.!~-]+$/)
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(answer.headers.getSetCookie()).toEqual([])
    },
  )

  test('become one line in each name, note and title, without control characters', async ({ typist: { person, upload } }) => {
    expect(await upload('named', 'date,query,clicks,impressions,position\n2026-03-14,a,1,1,1')).toMatchObject({ status: 200 })
    await person.send('POST', '/api/gsc-properties/select', { selectedProperty: 'named' })
    const name = ' Bell\u0007\r\nBcc: everybody\t\u0000\u001B[31mred\u009B '
    const plain = 'Bell Bcc: everybody [31mred'
    for (const [method, place, body, field] of [
      ['POST', '/api/keys', { name, scope: 'read', days: 1 }, 'name'],
      ['POST', '/api/annotations', { date: '2026-03-10', text: name, property: null }, 'text'],
      ['POST', '/api/alert-conditions', { type: 'clicks', title: name, monitor: 'site', threshold: 15 }, 'title'],
      ['POST', '/api/explore/saved', { kind: 'segment', name, content: 'clicks from 1' }, 'name'],
      ['POST', '/api/report-clients', { name, properties: ['named'] }, 'name'],
      ['PUT', '/api/report-brand', { name, color: '#1a73e8', senderName: 'Ann', replyTo: null }, 'name'],
    ] as const) {
      const { status, body: answer } = await person.send(method, place, body)
      expect({ place, isTaken: status < 300 }).toEqual({ place, isTaken: true })
      // The response may have it one level deeper.
      expect({ place, answer: JSON.stringify(answer) }).toEqual({ place, answer: expect.stringContaining(`"${field}":"${plain}"`) })
    }
    for (const [method, place, body] of [
      ['PATCH', '/api/user', { username: 'bell\u0007' }],
      ['PUT', '/api/sites/tags', { property: 'named', tags: ['bell\u0007'] }],
    ] as const)
      expect({ place, status: (await person.send(method, place, body)).status }).toEqual({ place, status: 400 })
  })
})

test("a property's name can't contain a newline", async ({ typist: { upload } }) => {
  const made = await upload('a\r\nset-cookie: x=y', 'date,query,clicks,impressions,position\n2026-03-14,x,1,2,3')
  expect(made).toMatchObject({ status: 400, body: { field: 'property' } })
})
