import { screens } from '../../contract/screens.ts'
import { isHourly } from '../../core/alerting/hourly.ts'
import { usualWeeks } from '../../core/analytics/same-hours.ts'
import { ruleOf } from '../../core/alerting/options.ts'
import { templates } from '../../core/alerting/templates.ts'
import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'
import { plansWith } from './plan-words.ts'

const readyMade = templates.filter(({ condition }) => isHourly(ruleOf('', condition))).map(({ name }) => `“${name}”`)

export const today: Chapter = {
  id: 'today',
  title: 'Today so far, and instant alerts',
  content: (
    <>
      <p>
        <Sold otherwise="Google">On {plansWith(({ hourly }) => hourly)}, Google</Sold> is asked every hour for the hours of each of your
        sites: clicks and impressions of web search, which it has some hours after the fact. “Today so far” on the{' '}
        <a href={screens.dashboard}>dashboard</a> compares those that Google is done with against the same hours of the same weekday in up
        to {usualWeeks} weeks before. All of it is marked as preliminary: the figures are revised until the day is final, two or three days
        later. Reports and all other figures are of final days, never of hours. Google gives hours of about the last ten days, so what is
        usual is known better with each week.
      </p>
      <h3>What is alerted on by the hour</h3>
      <p>
        Rules on clicks or impressions that watch the <em>whole site</em> and compare with lately; of those that are ready to be set up:{' '}
        {readyMade.join(', ')}. The rules every property begins with watch pages and queries, which Google does not give by the hour: set
        one up under <a href={screens.alertSettings}>Alert Settings</a>. You are told at once if you have chosen “Instant alerts” there, and
        otherwise with your digest; webhooks are always told at once.
      </p>
      <ul>
        <li>
          <strong>It reaches your threshold</strong> against the same hours of the weeks before.
        </li>
        <li>
          <strong>It lies beyond each of those weeks</strong>, and further from them than chance and the ups and downs of this site explain.
        </li>
        <li>
          <strong>There is enough to go by</strong>: four hours of the day, one week before of which these hours are known, and about 60
          clicks or 300 impressions that would be usual by then. Small counts are never an alarm, whatever becomes of them.
        </li>
      </ul>
      <h3>Preliminary, confirmed, withdrawn</h3>
      <p>
        Such an alert says <em>preliminary</em>, and until which hour it counted. When the day is final, its timeline says with figures what
        became of it: <em>confirmed</em>, with the severity that the whole day has, or <em>withdrawn</em>, which ends it and is told as a
        recovery. A change that lasts stays the same alert when the daily figures find it, too; it is not told twice.
      </p>
    </>
  ),
}
