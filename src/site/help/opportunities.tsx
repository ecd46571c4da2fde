import type { Chapter } from '../parts/Article.tsx'

export const opportunities: Chapter = {
  id: 'opportunity-score',
  title: 'Keyword opportunities',
  content: (
    <>
      <p>
        The opportunity score of a keyword is about how many more clicks a week it would bring if it rose to position 3: a score of 20 means
        about 20 more clicks a week. It is worked out from the keyword’s impressions a week and from how much more often position 3 is
        clicked than the present one. 20 or more is <strong>High</strong>, 10 to 20 <strong>Medium</strong>, less is <strong>Low</strong>.
        Keywords at position 3 or better score 0 and are not listed.
      </p>
      <p>
        How often a position is clicked differs from site to site, so the curve is fitted to your property’s own figures of the last 90
        days, without searches for your brand; where those are few, published figures make up for it. The score is no promise: it says what
        the present searchers would do, not how hard the way up is. The whole calculation with examples is in{' '}
        <code>docs/opportunity-score.md</code>, which comes with Ranklark.
      </p>
    </>
  ),
}
