import { screens } from '../../contract/screens.ts'
import { catalogue } from '../../core/billing/plans.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { answerTime } from './plan-words.ts'

export const support: Chapter = {
  id: 'support',
  title: 'Contacting support',
  content: (
    <>
      <p>
        <a href={screens.contact}>Contact support</a>, also under Help in the header, mails whoever this installation has named for that.
        Below your message you see what is told of your account (<Sold>plan, </Sold>sites, how fresh the data is, version, browser), and can
        untick each. The answer comes to your account’s address; a copy of your message too, once you have confirmed that address.
      </p>
      <p>
        A person answers<Sold> {catalogue.map((plan) => `on ${plan.name} ${answerTime(plan)}`).join(', ')}</Sold>. If whoever runs this
        installation has named nobody, the form says so.
      </p>
    </>
  ),
}
