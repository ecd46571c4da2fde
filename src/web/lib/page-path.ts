export { pagePath } from '../../core/analytics/page-path.ts'
