import type { Chapter } from '../parts/Article.tsx'
import { Sold } from '../sold.tsx'

export const figures: Chapter = {
  id: 'figures',
  title: 'What the figures mean',
  content: (
    <>
      <ul>
        <li>
          <strong>Clicks</strong>: how often somebody came to your site from Google’s results.
        </li>
        <li>
          <strong>Impressions</strong>: how often a result of yours was on the page that somebody was shown.
        </li>
        <li>
          <strong>CTR</strong> (click-through rate): clicks divided by impressions. Over several days it is worked out from their sums, not
          as the mean of daily rates.
        </li>
        <li>
          <strong>Position</strong>: where your best result stood, as a mean over all impressions; 1 is the top. It is therefore lower on
          charts when it is worse.
        </li>
      </ul>
      <h3 id="differences">Why they differ from Google’s own screen</h3>
      <ul>
        <li>
          <strong>Anonymised queries.</strong> Google names no query that only few people asked. They are in the totals of a property or
          page, but in no list of keywords, so keywords add up to less than the total. Where a list explains only a part, the screen says
          how much.
        </li>
        <li>
          <strong>By property or by page.</strong> Two of your pages in one result are one impression of the property and two of its pages.
          The sum over pages is therefore larger than the property’s total, and both are right.
        </li>
        <li>
          <strong>Means of positions.</strong> They are weighted by impressions. A keyword can look worse because you begin to appear for
          more searches, far down: clicks did not fall, the mean did.
        </li>
        <li>
          <strong>Freshness.</strong> Google’s screen may show today’s first hours. Days are final after two to three days and are revised
          until then; Ranklark shows them dotted, as preliminary, and judges only their <a href="#today">hours</a>
          <Sold>, where the plan has them</Sold>. The header says through which day the data is complete.
        </li>
        <li>
          <strong>Pacific days.</strong> Google counts days in California’s time. A day begins there at 8 or 9 in the morning of central
          Europe.
        </li>
        <li>
          <strong>Longer lists.</strong> Google’s screen shows 1,000 rows; Ranklark fetches up to the 50,000 a day that Google gives, those
          with most clicks. Where a list had more on some days, Ranklark says on how many.
        </li>
      </ul>
    </>
  ),
}
