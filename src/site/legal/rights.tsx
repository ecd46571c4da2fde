import { screens } from '../../contract/screens.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const rights: Chapter = {
  id: 'your-data',
  title: 'Taking your data along, and leaving',
  content: (
    <>
      <ul>
        <li>
          <strong>Take it along.</strong> Under <a href={screens.settings}>Settings</a>, “Export my data” gives everything as a ZIP of CSV
          and JSON.
        </li>
        <li>
          <strong>Correct it.</strong> Name, address and password are changed under <a href={screens.account}>Profile</a>.
        </li>
        <li>
          <strong>Withdraw Google’s permission</strong> under <a href={screens.account}>Profile</a>, or in your Google account. Ranklark
          then deletes its tokens; the figures fetched until then stay until you delete the account.
        </li>
        <li>
          <strong>Delete everything</strong> under <a href={screens.settings}>Settings</a>. The account, its figures and its alerts are
          deleted, the permission is given back to Google
          <Sold>, a subscription ends and Stripe is told to delete you as a customer</Sold>. This cannot be undone.
        </li>
      </ul>
      <p>
        Copies that the operator has made for safety may hold deleted data until they are replaced. For everything you cannot do yourself,
        ask the operator.
      </p>
    </>
  ),
}
