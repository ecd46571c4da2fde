import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson } from '../../../test/support/people.ts'
import { postmasterOf } from '../../../test/support/platform.ts'
import { until } from '../../../test/support/until.ts'
import { apiError } from '../../contract/common.ts'
import { storeIsAway } from '../common/errors.ts'

const test = appTest({ today: '2026-03-18', demo: false, ownPostgres: true })

test('while PostgreSQL is down, responses say so instead of reporting an error, and the server recovers on its own', async ({ app }) => {
  const person = await newPerson(app)
  process.kill(postmasterOf(app.dataDir), 'SIGKILL')
  const answers: { status: number; body: unknown }[] = []
  await until(
    async () => {
      const answer = await person.get('/api/user')
      answers.push(answer)
      return answer.status
    },
    (status) => status === 200 && answers.length > 20,
  )
  const failed = answers.filter(({ status }) => status !== 200)
  expect(failed.length).toBeGreaterThan(0)
  for (const { status, body } of failed) {
    expect(status).toBe(503)
    expect(apiError.strict().parse(body).message).toBe(storeIsAway.PostgreSQL)
  }
})
