import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { annotations, type Note } from '../../contract/annotations.ts'

// Notes on days: private to their author, and about one property or all of them.

const shop = 'https://shop.example/'
const blog = 'https://blog.example/'

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, ({ app }) => newPerson(app, { sites: { [shop]: 'empty', [blog]: 'empty' } }))
  .extend('stranger', { scope: 'file' }, ({ app }) =>
    newPerson(app, { email: 'stranger@example.test', sites: { 'https://theirs.example/': 'empty' } }),
  )

const path = '/api/annotations'
const list = async (who: Visitor, query: Record<string, string>) =>
  annotations.parse((await who.get(`${path}?${new URLSearchParams(query)}`)).body)
const notesOf = async (who: Visitor, query: Record<string, string>) => (await list(who, query)).notes.map(({ text }) => text)
const add = (who: Visitor, note: object) => who.send('POST', path, { date: '2026-03-10', property: null, ...note })

async function added(owner: Visitor, note: object): Promise<Note> {
  const answer = await add(owner, note)
  expect(answer.status).toBe(201)
  return answer.body as Note
}

test('a note is on one property or on all of them, newest first, within the requested days', async ({ app }) => {
  const owner = await newPerson(app, { email: 'writes@example.test', sites: { [shop]: 'empty', [blog]: 'empty' } })
  await added(owner, { text: 'New titles', property: shop, date: '2026-03-02' })
  await added(owner, { text: 'Holiday', date: '2026-03-05' })
  await added(owner, { text: 'Moved to a new host', property: blog, date: '2026-03-09' })
  expect(await notesOf(owner, { property: shop })).toEqual(['Holiday', 'New titles'])
  expect(await notesOf(owner, { property: blog })).toEqual(['Moved to a new host', 'Holiday'])
  expect(await notesOf(owner, { property: 'all' })).toEqual(['Moved to a new host', 'Holiday', 'New titles'])
  expect(await notesOf(owner, { property: 'all', from: '2026-03-05', to: '2026-03-05' })).toEqual(['Holiday'])
  expect((await list(owner, { property: shop })).notes[1]).toMatchObject({ date: '2026-03-02', text: 'New titles', property: shop })
})

test('only its author can change and delete it', async ({ owner, stranger }) => {
  const { id } = await added(owner, { text: 'Relaunch', property: shop })
  for (const [method, body] of [
    ['PATCH', { text: 'Gone' }],
    ['DELETE', undefined],
  ] as const)
    expect(await stranger.send(method, `${path}/${id}`, body)).toMatchObject({ status: 404, body: { message: 'Note not found.' } })
  const changed = await owner.send('PATCH', `${path}/${id}`, { text: 'The relaunch', date: '2026-03-11' })
  expect(changed).toMatchObject({ status: 200, body: { id, text: 'The relaunch', date: '2026-03-11', property: shop } })
  expect(await owner.send('PATCH', `${path}/${id}`, {})).toMatchObject({ status: 200, body: { text: 'The relaunch' } })
  expect((await owner.send('DELETE', `${path}/${id}`)).status).toBe(204)
  expect((await owner.send('DELETE', `${path}/${id}`)).status).toBe(404)
})

test("other users' notes are invisible, and their property is unknown", async ({ owner, stranger }) => {
  await added(owner, { text: 'A secret of the owner' })
  expect(JSON.stringify(await list(stranger, { property: 'all' }))).not.toContain('secret')
  const answer = await add(stranger, { text: 'Mine', property: shop })
  expect(answer).toMatchObject({ status: 404, body: { message: `${shop} is not one of your properties.`, field: 'property' } })
  expect(await stranger.get(`${path}?property=${encodeURIComponent(shop)}`)).toMatchObject({ status: 404, body: { field: 'property' } })
  for (const name of ['a\0b', 'https://nowhere.example/']) {
    expect((await add(owner, { text: 'x', property: name })).status).toBe(404)
    expect((await owner.get(`${path}?property=${encodeURIComponent(name)}`)).status).toBe(404)
  }
})

test('an invalid note is refused, naming the invalid part', async ({ owner }) => {
  const wrong = [
    [{ text: '' }, 'text', 'Please describe what happened'],
    [{ text: ' \n\t\0 ' }, 'text', 'Please describe what happened'],
    [{ text: 'x'.repeat(201) }, 'text', 'A note can have up to 200 characters'],
    [{ text: 'x', date: '2026-02-30' }, 'date', expect.any(String)],
    [{ text: 'x', date: '0000-01-01' }, 'date', 'Please choose a day between 2000 and 2099'],
    [{ text: 'x', property: '' }, 'property', expect.any(String)],
  ] as const
  for (const [note, field, message] of wrong) expect(await add(owner, note)).toMatchObject({ status: 400, body: { field, message } })
  expect((await owner.get(`${path}?from=0000-01-01`)).status).toBe(400)
  expect((await owner.send('PATCH', `${path}/abc`, { text: 'x' })).status).toBe(400)
})

test('line breaks, control characters and lone surrogates in a text become harmless', async ({ owner }) => {
  const { id, text } = await added(owner, { text: ' New\0 <b>titles</b>\r\n\ud83d and more ' })
  expect(text).toBe('New <b>titles</b> \ufffd and more')
  expect((await owner.send('PATCH', `${path}/${id}`, { text: 'a\u0007b' })).body).toMatchObject({ text: 'a b' })
})

test('notes of a disconnected Google account are hidden, and return with it', async ({ app }) => {
  const person = await newPerson(app, { email: 'leaving@example.test', sites: { 'https://left.example/': 'empty' } })
  const { id } = (await add(person, { text: 'Before', property: 'https://left.example/' })).body as Note
  const nulls = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }
  await person.send('PATCH', '/api/user', nulls)
  expect(await notesOf(person, { property: 'all' })).toEqual([])
  expect((await person.send('PATCH', `${path}/${id}`, { text: 'x' })).status).toBe(404)
})

test('their number is limited, even if the last two come at once', async ({ app }) => {
  const person = await newPerson(app, { email: 'writer@example.test' })
  const { sql } = await app.stores()
  await sql(
    `INSERT INTO annotations (user_id, date, text, created_at)
     SELECT id, '2026-03-01', 'Note ' || n, now() FROM users, generate_series(1, 1999) n WHERE email = 'writer@example.test'`,
  )
  const answers = await Promise.all([add(person, { text: 'One more' }), add(person, { text: 'And one' })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toEqual({
    message: 'You’ve reached the limit of 2,000 notes. Delete some to add more.',
  })
})
