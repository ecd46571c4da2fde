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
        Use <a href={screens.contact}>Contact support</a> (also in the Help menu in the header) to email this installation’s support team.
        The form shows the account details that will be sent with your message (<Sold>plan, </Sold>sites, data freshness, version, browser),
        and you can uncheck any of them. The reply goes to your account email. Confirm your email to receive a copy of your message, too.
      </p>
      <p>
        A person replies<Sold>: {catalogue.map((plan) => `on ${plan.name} ${answerTime(plan)}`).join(', ')}</Sold>. If this installation has
        no support address, the form says so.
      </p>
    </>
  ),
}
