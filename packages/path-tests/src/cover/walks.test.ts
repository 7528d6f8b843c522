import { describe, expect, test } from 'vitest'
import { bareDriver, parsePath, runPath, runWalks } from '../index.ts'
import { shopMachine, shopSpec } from '../toy.ts'

describe('runWalks', () => {
  test('the machine agrees with its model wherever the walks go', async () => {
    const report = await runWalks(shopSpec, () => bareDriver(shopSpec), { seed: 11, walks: 60 })
    expect(report.failure).toBeNull()
    expect(report.walks).toBe(60)
    expect(report.steps).toBeGreaterThan(500)
  })

  test('finds a hidden fault and shrinks it to the steps that matter', async () => {
    const wrong = shopMachine.provide({ actions: { forget: () => {} } })
    const walk = () =>
      runWalks(shopSpec, () => bareDriver(shopSpec, wrong), { seed: 11, walks: 200 })
    const { failure } = await walk()
    const line = /MBT_PATH='(.*)'/.exec(failure ?? '')?.[1] ?? ''
    expect(line.split(' | ').length).toBeLessThanOrEqual(5)
    expect(line).toContain('user:order.create(two) | settle:createOrder → made')
    expect(
      (await runPath(shopSpec, parsePath(shopSpec, line), bareDriver(shopSpec, wrong))).failure,
    ).not.toBeNull()
    expect((await walk()).failure).toBe(failure)
  })
})
