import { describe, expect, test } from 'vitest'
import { actorDriver, parsePath, runPath } from '../index.ts'
import { runWalks } from './walks.ts'
import { shopMachine, shopModel } from '../toy.ts'

describe('runWalks', () => {
  test('the machine agrees with its model wherever the walks go', async () => {
    const report = await runWalks(shopModel, () => actorDriver(shopModel), { seed: 11, walks: 60 })
    expect(report.failure).toBeNull()
    expect(report.walks).toBe(60)
    expect(report.steps).toBeGreaterThan(500)
  })

  test('finds a hidden fault and shrinks it to the steps that matter', async () => {
    const wrong = shopMachine.provide({ actions: { forget: () => {} } })
    const walk = () =>
      runWalks(shopModel, () => actorDriver(shopModel, { machine: wrong }), {
        seed: 11,
        walks: 200,
      })
    const { failure } = await walk()
    const line = /MBT_PATH='(.*)'/.exec(failure ?? '')?.[1] ?? ''
    expect(line.split(' | ').length).toBeLessThanOrEqual(5)
    expect(line).toContain('user:order.create(two) | settle:createOrder → made')
    expect(
      (
        await runPath(
          shopModel,
          parsePath(shopModel, line),
          actorDriver(shopModel, { machine: wrong }),
        )
      ).failure,
    ).not.toBeNull()
    expect((await walk()).failure).toBe(failure)
  })
})
