import type { Chapter } from '../parts/Article.tsx'

export const opportunities: Chapter = {
  id: 'opportunity-score',
  title: 'Keyword opportunities',
  content: (
    <>
      <p>
        A keyword’s opportunity score estimates how many more clicks a week it would get at position 3: a score of 20 means about 20 more
        clicks a week. It’s based on the keyword’s weekly impressions and the difference between the CTR at position 3 and at its current
        position. 20 or more is <strong>High</strong>, 10 to 20 is <strong>Medium</strong>, and below 10 is <strong>Low</strong>. Keywords
        at position 3 or better score 0 and aren’t listed.
      </p>
      <p>
        CTR by position differs from site to site, so the curve is fitted to your property’s own data from the last 90 days, excluding brand
        searches. Where your data is thin, published benchmarks fill the gaps. The score isn’t a promise: it estimates the extra clicks, not
        how hard it is to get there. For the full calculation with examples, see <code>docs/opportunity-score.md</code>, included with
        Ranklark.
      </p>
    </>
  ),
}
