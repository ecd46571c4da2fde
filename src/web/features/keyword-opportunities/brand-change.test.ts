import { describe, expect, test } from 'vitest'
import { mostBrandTerms } from '../../../contract/brand.ts'
import { afterChange, termToAdd, withoutChange } from './brand-change.ts'

const suggested = { terms: ['lamp-house', 'lamp house'], suggested: true }

describe('a term to add', () => {
  test('is saved without blanks around it and in small letters', () => {
    expect(termToAdd('  LampHouse ', [])).toEqual({ term: 'lamphouse' })
  })

  test('needs 2 to 100 characters', () => {
    expect(termToAdd(' a ', [])).toEqual({ problem: 'A brand term needs at least 2 characters' })
    expect(termToAdd('', [])).toEqual({ problem: 'A brand term needs at least 2 characters' })
    expect(termToAdd('a'.repeat(101), [])).toEqual({ problem: 'A brand term can have up to 100 characters' })
    expect(termToAdd('a'.repeat(100), [])).toEqual({ term: 'a'.repeat(100) })
  })

  test('has to be a new one', () => {
    expect(termToAdd('Lamp House', suggested.terms)).toEqual({ problem: '“lamp house” is already on the list' })
  })

  test('does not fit into a list that is full', () => {
    const full = Array.from({ length: mostBrandTerms }, (_, index) => `term ${index}`)
    expect(termToAdd('lamp', full)).toEqual({ problem: 'You can have up to 50 brand terms' })
    expect(termToAdd('lamp', full.slice(1))).toEqual({ term: 'lamp' })
  })
})

describe('a change', () => {
  test('makes suggested terms saved ones', () => {
    expect(afterChange(suggested, { kind: 'keep' })).toEqual({ terms: suggested.terms, suggested: false })
    expect(afterChange(suggested, { kind: 'add', term: 'lamps' })).toEqual({ terms: [...suggested.terms, 'lamps'], suggested: false })
    expect(afterChange(suggested, { kind: 'remove', term: 'lamp-house' })).toEqual({ terms: ['lamp house'], suggested: false })
  })

  test('that could not be saved is taken back, and what was changed since stays', () => {
    const removal = { kind: 'remove', term: 'lamp-house' } as const
    const meanwhile = afterChange(afterChange(suggested, removal), { kind: 'add', term: 'lamps' })
    expect(withoutChange(meanwhile, removal, suggested)).toEqual({ terms: ['lamp-house', 'lamp house', 'lamps'], suggested: true })

    const addition = { kind: 'add', term: 'lamps' } as const
    const list = { terms: ['lamp'], suggested: false }
    expect(withoutChange(afterChange(list, addition), addition, list)).toEqual(list)
    expect(withoutChange(afterChange(suggested, { kind: 'keep' }), { kind: 'keep' }, suggested)).toEqual(suggested)
  })
})
