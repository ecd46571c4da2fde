import { expect, onTestFinished, test } from 'vitest'
import { startMortalDelivery } from '../../../test/support/mortal-delivery.ts'

test('killed between commit and send: the restarted server sends the message', async () => {
  const delivery = await startMortalDelivery()
  onTestFinished(() => delivery.close())
  await delivery.commit()
  await delivery.kill()
  expect(await delivery.workspace.messages()).toEqual([])
  await delivery.startAgain()
  await delivery.look()
  await delivery.allSent()
  expect(await delivery.workspace.messages()).toHaveLength(1)
})

test('killed between send and mark: the message may arrive twice, but is never marked without having been sent', async () => {
  const delivery = await startMortalDelivery()
  onTestFinished(() => delivery.close())
  // The message arrives, but its response doesn't before the server dies.
  await delivery.workspace.fail({ hang: true, executed: true })
  await delivery.commit()
  await delivery.look()
  await delivery.workspace.message()
  await delivery.kill()
  await delivery.startAgain()
  await delivery.look()
  await delivery.allSent()
  expect(await delivery.workspace.messages()).toHaveLength(2)
  // The interrupted attempt left no trace: the one counted belongs to the restarted server.
  expect(await delivery.sql('SELECT attempts FROM notifications')).toEqual([{ attempts: 1 }])
})
