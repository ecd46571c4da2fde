import { describe, expect, test } from 'vitest'
import { createMany, type WeeklyCount } from './many-counts.ts'
import { median, middleOfFew, spread } from './robust.ts'

/** Two thousand pages, a few of them large, that vary a little from week to week, each with a rhythm of its own. */
const usual = (page: number): number => Math.ceil(4_000 / (page + 1)) + 5
const week = (page: number, age: number): number => Math.round(usual(page) * (1 + (((page * 31 + age * 57) % 11) - 5) / 60))
const pages = (change: (page: number) => number = () => 1, count = 2_000): WeeklyCount[] =>
  Array.from({ length: count }, (_each, page) => ({
    now: Math.round(week(page, 0) * change(page)),
    before: Array.from({ length: 12 }, (_, age) => week(page, age + 1)),
  }))
const found = (today: readonly WeeklyCount[], dayBefore: readonly (WeeklyCount | null)[] = today, direction: 'fall' | 'rise' = 'fall') =>
  createMany(today, () => dayBefore)(direction, 1).flatMap((tested, page) => (tested?.isAlarm ? [page] : []))
const only = (page: number, factor: number) => (each: number) => (each === page ? factor : 1)

describe('of two thousand pages', () => {
  test('none is found if nothing happens, nor if all fall alike', () => {
    expect(found(pages())).toEqual([])
    expect(found(pages(() => 0.82))).toEqual([])
  })

  test('the one that has lost half of its clicks is found', () => {
    expect(found(pages(only(7, 0.5)))).toEqual([7])
    expect(found(pages(only(7, 0.5)), pages(), 'rise')).toEqual([])
  })

  test('one that is gone is found immediately, and one that has doubled three times', () => {
    expect(found(pages(only(7, 0)), pages())).toEqual([7])
    expect(found(pages(only(7, 8)), pages(), 'rise')).toEqual([7])
  })

  test('a doubtful one is found if the day before agrees', () => {
    const doubtful = pages(only(200, 0.2))
    expect(found(doubtful, doubtful)).toEqual([200])
    expect(found(doubtful, pages())).toEqual([])
    expect(
      found(
        doubtful,
        pages().map(() => null),
      ),
    ).toEqual([])
  })
})

test("those with hardly any clicks, or a few weeks of history, aren't evaluated", () => {
  const [page] = pages(() => 0, 1)
  expect(createMany([{ now: 0, before: page?.before.slice(0, 5) ?? [] }], () => [null])('fall', 1)).toEqual([null])
  expect(createMany([{ now: 0, before: Array.from({ length: 12 }, () => 4) }], () => [null])('fall', 1)).toEqual([null])
  expect(createMany([], () => [])('fall', 1)).toEqual([])
})

test('counts of any size are evaluated instantly', () => {
  const large = Array.from({ length: 12 }, (_, age) => 3e8 + age * 1e6)
  expect(createMany([{ now: 1e8, before: large }], () => [null])('fall', 1)[0]).toMatchObject({ isAlarm: true })
  expect(createMany([{ now: 9e8, before: large }], () => [null])('rise', 1)[0]).toMatchObject({ isAlarm: true })
})

test('the middle and the spread of a few weeks are those of any series', () => {
  for (let length = 1; length <= 20; length++) {
    const weeks = Array.from({ length }, (_, i) => (i * 7919 + length * 31) % 97)
    const middle = median(weeks)
    expect(middleOfFew(weeks)).toEqual({ middle, spread: spread(weeks, middle) })
  }
  expect(middleOfFew([])).toEqual({ middle: Number.NaN, spread: Number.NaN })
})
