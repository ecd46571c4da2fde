import { expect, test } from 'vitest'
import { pagePath } from './page-path.ts'

test('a page is called by its path plus query', () => {
  expect(pagePath('https://shop.example/lamps?colour=red&size=2#top')).toBe('/lamps?colour=red&size=2')
  expect(pagePath('https://shop.example')).toBe('/')
})

test('other scripts are written as people read them, and broken codes as they are', () => {
  expect(pagePath('https://shop.example/%E3%83%A9%E3%83%B3%E3%83%97')).toBe('/ランプ')
  expect(pagePath('https://shop.example/100%25/%E3%83')).toBe('/100%25/%E3%83')
})

test('what is no address stays as it is', () => {
  expect(pagePath('lamps')).toBe('lamps')
})
