/** For a tab that the chosen segment doesn't narrow. */
export const WholeSiteNote = () => <p className="mb-4 text-muted">This tab covers the whole site, not just the segment.</p>
