import { expect, test } from 'vitest'
import { recentGroup } from '../palette/entries.ts'
import { withKeptParams } from './kept-params.ts'

const from = (search: string, pathname = '/page-analytics') => ({ pathname, search })

test('property, days and comparison carry over between analytics screens, and nothing else does', () => {
  const asked = '?range=6m&compare=year&tab=decay&search=lamp&property=a'
  expect(withKeptParams('/keyword-opportunities', from(asked))).toBe('/keyword-opportunities?property=a&range=6m&compare=year')
  expect(withKeptParams('/dashboard', from('?range=2026-01-01_2026-01-31'))).toBe('/dashboard?range=2026-01-01_2026-01-31')
  expect(withKeptParams('/explore', from(''))).toBe('/explore')
  expect(withKeptParams('/alerts', from(asked))).toBe('/alerts')
  expect(withKeptParams('/explore', from(asked, '/alerts'))).toBe('/explore')
})

test('the search type stays between the screens that have one', () => {
  expect(withKeptParams('/explore', from('?type=discover', '/dashboard'))).toBe('/explore?type=discover')
  expect(withKeptParams('/dashboard', from('?type=image&by=page', '/explore'))).toBe('/dashboard?type=image')
  expect(withKeptParams('/page-analytics', from('?type=discover', '/dashboard'))).toBe('/page-analytics')
})

test("the link's own parameters stay, and the old spelling of days is understood", () => {
  expect(withKeptParams('/page-analytics?sort=ctr&range=28d', from('?range=6m'))).toBe('/page-analytics?sort=ctr&range=28d')
  expect(withKeptParams('/explore', from('?days=90'))).toBe('/explore?range=90d')
  expect(withKeptParams('/explore', from('?days=8'))).toBe('/explore')
})

test('all sites stay between the screens that list them', () => {
  expect(withKeptParams('/keyword-opportunities', from('?property=all&range=all'))).toBe('/keyword-opportunities?property=all&range=all')
  expect(withKeptParams('/dashboard', from('?property=all&range=28d'))).toBe('/dashboard?range=28d')
})

test('a metric’s card is shown for the same days, and on the same screen keeps everything', () => {
  const asked = '?property=a&range=16m&compare=year'
  expect(withKeptParams('/dashboard#ctr', from(`${asked}&search=lamp`))).toBe(`/dashboard${asked}#ctr`)
  const all = `${asked}&segment=3&type=image`
  expect(withKeptParams('/dashboard#ctr', from(all, '/dashboard'))).toBe(`/dashboard${all}#ctr`)
  expect(withKeptParams('/dashboard#ctr', from(asked, '/account'))).toBe('/dashboard#ctr')
})

test('the dashboard of the menu on small screens, too, shows the same days', () => {
  expect(withKeptParams('/', from('?range=3m&compare=year&tab=decay'))).toBe('/dashboard?range=3m&compare=year')
  expect(withKeptParams('/', from(''))).toBe('/')
  expect(withKeptParams('/', from('?range=3m', '/account'))).toBe('/')
})

test('a found page or keyword keeps its own property on a list of all sites', () => {
  const group = recentGroup([{ kind: 'page', name: 'https://a.example/x', property: 'sc-domain:a.example' }], 'sc-domain:a.example')
  const chosen = group.items[0]?.choose
  const kept = new URL(withKeptParams(chosen && 'to' in chosen ? chosen.to : '', from('?property=all&range=28d')), 'https://x')
  expect(Object.fromEntries(kept.searchParams)).toMatchObject({
    property: 'sc-domain:a.example',
    page: 'https://a.example/x',
    range: '28d',
  })
})
