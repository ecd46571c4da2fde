import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { newPerson } from '../../../../test/support/people.ts'
import { ownerAtOnce } from '../../../../test/support/stored-history.ts'
import { explored } from '../../../contract/explore/explore.ts'
import { mostSaved, type Saved } from '../../../contract/explore/saved.ts'

const site = 'https://saved.example/'
const path = '/api/explore/saved'

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, ({ app }) => ownerAtOnce(app, site, { profile: 'local', days: 20 }))
  .extend('stranger', { scope: 'file' }, ({ app }) => newPerson(app, { email: 'stranger@example.test' }))

test('segments and views are saved, listed by name, renamed and deleted; nobody else sees or changes them', async ({ owner, stranger }) => {
  const add = async (kind: string, name: string, content: string) => (await owner.send('POST', path, { kind, name, content })).body as Saved
  const view = await add('view', ' My\n view ', 'range=7d&by=page&where=page+contains+a')
  const segment = await add('segment', 'Doctors', 'query contains doctor\nclicks from 2')
  expect([view, segment]).toEqual([
    { id: expect.any(String), kind: 'view', name: 'My view', content: 'range=7d&by=page&where=page+contains+a' },
    { id: expect.any(String), kind: 'segment', name: 'Doctors', content: 'query contains doctor\nclicks from 2' },
  ])
  expect((await owner.get(path)).body).toEqual([segment, view])
  expect(await owner.send('PATCH', `${path}/${view.id}`, { name: 'Another' })).toMatchObject({
    status: 200,
    body: { ...view, name: 'Another' },
  })

  expect((await stranger.get(path)).body).toEqual([])
  expect(await stranger.send('PATCH', `${path}/${view.id}`, { name: 'Mine' })).toMatchObject({ status: 404 })
  expect(await stranger.send('DELETE', `${path}/${view.id}`)).toMatchObject({ status: 404 })

  // Names are unique per kind, regardless of case.
  expect(await owner.send('POST', path, { kind: 'segment', name: 'doctors', content: 'clicks from 1' })).toMatchObject({
    status: 409,
    body: { message: 'Another segment is already called “doctors”.', field: 'name' },
  })
  expect((await owner.send('DELETE', `${path}/${view.id}`)).status).toBe(204)
  expect(await owner.send('DELETE', `${path}/${view.id}`)).toMatchObject({ status: 404 })
  expect((await owner.get(path)).body).toEqual([segment])
})

test('a segment’s filters apply in addition to those in the URL, in rows and files', { tags: ['full'] }, async ({ owner, stranger }) => {
  const { id } = (await owner.send('POST', path, { kind: 'segment', name: 'With p', content: 'query contains p' })).body as Saved
  const read = async (asked: string) => explored.parse((await owner.get(`/api/explore?compare=none&limit=1000&${asked}`)).body)
  const together = await read(`segment=${id}&where=query+not+contains+n`)
  expect(together).toEqual(await read('where=query+contains+p%0Aquery+not+contains+n'))
  expect(together.count).toBeGreaterThan(0)
  expect(together.rows.every(({ name }) => name.includes('p') && !name.includes('n'))).toBe(true)
  const file = (asked: string) => owner.get(`/api/explore.csv?compare=none&${asked}`)
  expect((await file(`segment=${id}`)).body).toBe((await file('where=query+contains+p')).body)
  // One of another kind, or of somebody else, isn't found.
  expect(await owner.get('/api/explore?segment=999999')).toMatchObject({ status: 404, body: { field: 'segment' } })
  expect((await stranger.get(`/api/explore?segment=${id}`)).status).not.toBe(500)
  expect(await owner.get(`/api/explore?by=device&segment=${id}`)).toMatchObject({ status: 400, body: { field: 'where' } })
})

test.for([
  [{ kind: 'segment', name: 'x', content: '' }, 'content', 'Add a filter first'],
  [{ kind: 'segment', name: 'x', content: 'clicks over 1' }, 'content', '“clicks over 1” is not a filter'],
  [{ kind: 'segment', name: ' ', content: 'clicks from 1' }, 'name', 'Enter a name'],
  [{ kind: 'view', name: 'x', content: 'range=tomorrow' }, 'content', 'This isn’t an Explore view'],
] as const)('%j is refused', async ([body, field, message], { owner }) => {
  expect(await owner.send('POST', path, body)).toMatchObject({ status: 400, body: { field, message } })
})

test('their number is limited', async ({ app, owner }) => {
  const { sql } = await app.stores()
  await sql(
    `INSERT INTO saved_explorations (user_id, kind, name, content, created_at)
     SELECT user_id, 'view', 'view ' || n, 'by=page', now() FROM properties, generate_series(1, $2) AS n WHERE properties.name = $1`,
    [site, mostSaved],
  )
  expect(await owner.send('POST', path, { kind: 'view', name: 'One more', content: 'by=page' })).toMatchObject({ status: 409 })
})
