import { expect, test } from 'vitest'
import { answerWords } from './answer-words.ts'

test('an answer is told by its status and how long it took, none by what happened', () => {
  const attempt = { at: '2026-03-18T20:00:00.000Z', answer: null }
  expect(answerWords({ ...attempt, status: 200, ms: 1_085, detail: null })).toBe('200 in 1,085 ms')
  expect(answerWords({ ...attempt, status: null, ms: 12, detail: 'Your server refused the connection.' })).toBe(
    'Your server refused the connection',
  )
})
