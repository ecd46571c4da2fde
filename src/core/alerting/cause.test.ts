import { expect, test } from 'vitest'
import { groupByCause, type Trace } from './cause.ts'

const trace = (key: string, more: Partial<Trace> = {}): Trace => ({
  key,
  entity: { kind: 'page', name: '/lamp' },
  metric: 'clicks',
  previous: 100,
  current: 20,
  change: -80,
  isOverAYear: false,
  page: null,
  alert: null,
  ...more,
})
const query = (name: string, page: string | null, more: Partial<Trace> = {}) =>
  trace(name, { entity: { kind: 'query', name }, metric: 'ctr', page, ...more })
const site = (key: string, more: Partial<Trace> = {}) => trace(key, { entity: { kind: 'site', name: 'example.com' }, ...more })
const recent = { isRecent: true }
const parts = (...traces: Trace[]) => Object.fromEntries(groupByCause(traces))

test('a page includes the queries with most of their change on it', () => {
  expect(parts(trace('page'), query('desk lamp', '/lamp'), query('rug', '/rug'), query('spread', null))).toEqual({ 'desk lamp': 'page' })
})

test('queries of one page without other findings are one', () => {
  expect(parts(query('desk lamp', '/lamp'), query('lamp', '/lamp'), query('rug', '/rug'))).toEqual({ lamp: 'desk lamp' })
})

test('several metrics of one entity are one, represented by the most telling', () => {
  expect(parts(trace('ctr', { metric: 'ctr' }), trace('clicks'), trace('impressions', { metric: 'impressions' }))).toEqual({
    ctr: 'clicks',
    impressions: 'clicks',
  })
})

test('a rise from zero, which has no percentage, belongs to rises', () => {
  const risen = { previous: 0, current: 20, change: null }
  expect(parts(site('site', { change: 40 }), trace('page', risen), trace('fell'))).toEqual({ page: 'site' })
})

test('a change of the whole site includes what moves the same way, and only that', () => {
  const found = parts(
    trace('page'),
    site('site'),
    query('desk lamp', '/lamp'),
    trace('up', { entity: { kind: 'page', name: '/up' }, change: 40 }),
  )
  expect(found).toEqual({ page: 'site', 'desk lamp': 'site' })
  expect(parts(trace('page'), site('ctr of the site', { metric: 'ctr' }))).toEqual({})
})

test('a lost ranking belongs to drops, a new one to rises', () => {
  const gone = query('gone', '/lamp', { metric: 'position', previous: 3, current: null, change: null })
  const fresh = query('fresh', '/lamp', { metric: 'position', previous: null, current: 3, change: null })
  expect(parts(trace('page'), gone, fresh)).toEqual({ gone: 'page' })
})

test('an alert already sent leads later findings, and only joins a wider new one', () => {
  expect(parts(trace('new'), trace('ctr', { metric: 'ctr', alert: recent }))).toEqual({ new: 'ctr' })
  expect(parts(trace('page', { alert: recent }), query('desk lamp', '/lamp', { alert: recent }))).toEqual({})
  expect(parts(trace('page', { alert: recent }), site('site'))).toEqual({ page: 'site' })
  expect(parts(trace('page', { alert: recent }), site('site', { alert: recent }))).toEqual({})
})

test('found together, a recent change leads one by last year; afterwards, one by last year leads nothing recent', () => {
  const lastYear = site('last year', { isOverAYear: true })
  expect(parts(lastYear, site('site'), trace('page'))).toEqual({ 'last year': 'site', page: 'site' })
  expect(parts({ ...lastYear, alert: recent }, site('site'), trace('page'))).toEqual({ page: 'site' })
  expect(parts(lastYear, site('site', { alert: recent }))).toEqual({ 'last year': 'site' })
})

test('weeks later it is another cause', () => {
  expect(parts(site('site', { alert: { isRecent: false } }), trace('page'))).toEqual({})
})

test('whatever their order', () => {
  const traces = [site('site'), trace('page'), query('desk lamp', '/lamp')]
  expect(parts(...traces.toReversed())).toEqual(parts(...traces))
})
