import type { z } from 'zod'
import { user, type User, type userPatch } from '../../contract/user.ts'
import { ask } from './client.ts'

export async function updateUser(change: z.infer<typeof userPatch>): Promise<User | null> {
  return await ask(user, '/api/user', { method: 'PATCH', body: change })
}
