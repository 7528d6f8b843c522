import { expect, it } from 'vitest'
import { digestMigrations, findBroken, readReleased } from './freeze-migrations.ts'

it('leaves the migrations of releases as they were, and puts new ones after them', () => {
  expect(findBroken(readReleased(), digestMigrations())).toEqual([])
  expect(Object.keys(readReleased()).length).toBeGreaterThan(50)
})

it('finds what a release does not allow', () => {
  const released = { '0001-a': 'x', '0003-c': 'y' }
  expect(findBroken(released, { '0001-a': 'x', '0003-c': 'y', '0004-d': 'z' })).toEqual([])
  expect(findBroken(released, { '0001-a': 'other', '0002-b': 'z' })).toEqual([
    expect.stringContaining('0001-a has changed'),
    expect.stringContaining('0003-c is gone'),
    expect.stringContaining('0002-b comes before 0003-c'),
  ])
})
