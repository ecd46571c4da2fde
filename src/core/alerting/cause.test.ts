import { expect, test } from 'vitest'
import { groupByCause, type Trace } from './cause.ts'

const trace = (key: string, more: Partial<Trace> = {}): Trace => ({
  key,
  entity: { kind: 'page', name: '/lamp' },
  metric: 'clicks',
  previous: 100,
  current: 20,
  change: -80,
  page: null,
  alert: null,
  ...more,
})
const query = (name: string, page: string | null, more: Partial<Trace> = {}) =>
  trace(name, { entity: { kind: 'query', name }, metric: 'ctr', page, ...more })
const site = (key: string, more: Partial<Trace> = {}) => trace(key, { entity: { kind: 'site', name: 'example.com' }, ...more })
const told = { isRecent: true }
const parts = (...traces: Trace[]) => Object.fromEntries(groupByCause(traces))

test('a page takes in the queries most of whose change lies on it', () => {
  expect(parts(trace('page'), query('desk lamp', '/lamp'), query('rug', '/rug'), query('spread', null))).toEqual({ 'desk lamp': 'page' })
})

test('queries of one page of which nothing else was found are one', () => {
  expect(parts(query('desk lamp', '/lamp'), query('lamp', '/lamp'), query('rug', '/rug'))).toEqual({ lamp: 'desk lamp' })
})

test('several figures of one entity are one, told by the figure that says most', () => {
  expect(parts(trace('ctr', { metric: 'ctr' }), trace('clicks'), trace('impressions', { metric: 'impressions' }))).toEqual({
    ctr: 'clicks',
    impressions: 'clicks',
  })
})

test('a change of the whole site takes in what goes the same way, and only that', () => {
  const found = parts(
    trace('page'),
    site('site'),
    query('desk lamp', '/lamp'),
    trace('up', { entity: { kind: 'page', name: '/up' }, change: 40 }),
  )
  expect(found).toEqual({ page: 'site', 'desk lamp': 'site' })
  expect(parts(trace('page'), site('ctr of the site', { metric: 'ctr' }))).toEqual({})
})

test('a ranking that is gone goes with what falls, one that is new with what rises', () => {
  const gone = query('gone', '/lamp', { metric: 'position', previous: 3, current: null, change: null })
  const fresh = query('fresh', '/lamp', { metric: 'position', previous: null, current: 3, change: null })
  expect(parts(trace('page'), gone, fresh)).toEqual({ gone: 'page' })
})

test('what was told leads what is found later, and follows only what is wider and new', () => {
  expect(parts(trace('new'), trace('ctr', { metric: 'ctr', alert: told }))).toEqual({ new: 'ctr' })
  expect(parts(trace('page', { alert: told }), query('desk lamp', '/lamp', { alert: told }))).toEqual({})
  expect(parts(trace('page', { alert: told }), site('site'))).toEqual({ page: 'site' })
  expect(parts(trace('page', { alert: told }), site('site', { alert: told }))).toEqual({})
})

test('weeks later it is another cause', () => {
  expect(parts(site('site', { alert: { isRecent: false } }), trace('page'))).toEqual({})
})

test('in whatever order they come', () => {
  const traces = [site('site'), trace('page'), query('desk lamp', '/lamp')]
  expect(parts(...traces.toReversed())).toEqual(parts(...traces))
})
