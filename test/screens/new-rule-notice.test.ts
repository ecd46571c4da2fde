import { answerEveryScreen } from '../support/answers/shell.ts'
import { userOf } from '../support/answers/usual.ts'
import { expectAddress, expectCount, expectGone, expectVisible } from '../support/browser-expect.ts'
import { test } from '../support/screen-test.ts'

test(
  'existing users are told about the rule added to their properties, until they dismiss the notice',
  { tags: ['full'] },
  async ({ desk, signIn, open }) => {
    answerEveryScreen(desk)
    signIn(userOf({ notices: ['unusual_changes'] }))
    desk.answer('DELETE /api/user/notices/:notice', null)
    const page = await open('/dashboard')
    const notice = page.getByRole('region', { name: 'New rule' })
    await expectVisible(notice.getByText('Your properties have a new rule.'))
    await notice.getByRole('link', { name: 'Review your rules' }).click()
    await expectAddress(page, '/alert-settings')
    await notice.getByRole('button', { name: 'Dismiss notice about the new rule' }).click()
    await expectGone(notice)
  },
)

test('nobody else sees that notice', { tags: ['full'] }, async ({ desk, open }) => {
  answerEveryScreen(desk)
  const page = await open('/dashboard')
  await expectVisible(page.getByRole('region', { name: 'Clicks' }))
  await expectCount(page.getByRole('region', { name: 'New rule' }), 0)
})
