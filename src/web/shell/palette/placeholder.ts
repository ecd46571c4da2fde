export const placeholder = 'Search keywords, pages or metrics...'
