import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const figures: Chapter = {
  id: 'figures',
  title: 'What the metrics mean',
  content: (
    <>
      <ul>
        <li>
          <strong>Clicks</strong>: how many times people clicked through to your site from Google’s results.
        </li>
        <li>
          <strong>Impressions</strong>: how many times people saw one of your results.
        </li>
        <li>
          <strong>CTR</strong> (click-through rate): clicks divided by impressions. Over several days, it’s total clicks divided by total
          impressions, not the average of the daily rates.
        </li>
        <li>
          <strong>Position</strong>: the average position of your highest result; 1 is the top. Charts put position 1 at the top, so a
          falling line means a worse position.
        </li>
      </ul>
      <h3 id="differences">Why the numbers differ from Search Console</h3>
      <ul>
        <li>
          <strong>Anonymized queries.</strong> Google doesn’t reveal queries that only a few people searched for. They count toward the
          totals for a property or page but never appear in keyword lists, so keywords add up to less than the total. When a list covers
          only part of the total, the screen says how much.
        </li>
        <li>
          <strong>Property vs. page.</strong> If two of your pages appear in the same results, the property gets one impression and each
          page gets one. So pages can add up to more than the property total, and both are correct.
        </li>
        <li>
          <strong>Average position.</strong> It’s weighted by impressions. Your average can get worse just because you start to rank for
          more searches, far down the results, even though clicks haven’t dropped.
        </li>
        <li>
          <strong>Freshness.</strong> Search Console may already show today’s first hours. Google revises each day’s data for two to three
          days before it’s final. Until then, Ranklark shows it as a dotted, preliminary line and alerts only on{' '}
          <a href="#today">hourly data</a>
          <Sold>, if your plan includes it</Sold>. The header shows the last complete day.
        </li>
        <li>
          <strong>Pacific time.</strong> Google’s days run on Pacific time. In Central Europe, a Google day starts at 8 or 9 a.m.
        </li>
        <li>
          <strong>Longer lists.</strong> Search Console shows 1,000 rows. Ranklark fetches the top rows by clicks, up to Google’s limit of
          50,000 a day. If a list hits that limit, Ranklark tells you on how many days it did.
        </li>
      </ul>
    </>
  ),
}
