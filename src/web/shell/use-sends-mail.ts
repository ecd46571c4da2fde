import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'

/** Whether this installation has a mail server: without one nothing may claim that a mail was sent, or will be. */
export const useSendsMail = (): boolean => useQuery(sessionQuery).data?.mail ?? true
