import { expect, test } from 'vitest'
import { pagePath } from './page-path.ts'

test("a page's name is its path plus query", () => {
  expect(pagePath('https://shop.example/lamps?color=red&size=2#top')).toBe('/lamps?color=red&size=2')
  expect(pagePath('https://shop.example')).toBe('/')
})

test('other scripts are readable, and broken codes stay as they are', () => {
  expect(pagePath('https://shop.example/%E3%83%A9%E3%83%B3%E3%83%97')).toBe('/ランプ')
  expect(pagePath('https://shop.example/100%25/%E3%83')).toBe('/100%25/%E3%83')
})

test("anything that isn't a URL stays as it is", () => {
  expect(pagePath('lamps')).toBe('lamps')
})
