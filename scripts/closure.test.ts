import { expect, it } from 'vitest'
import { findClosure } from './closure.ts'

const lock = {
  packages: {
    '': {},
    server: { dependencies: { a: '1', '@our/api': '*' }, devDependencies: { d: '1' } },
    'packages/api': { dependencies: { b: '2' } },
    'node_modules/@our/api': { link: true, resolved: 'packages/api' },
    'node_modules/a': { dependencies: { b: '1' }, optionalDependencies: { windows: '1' } },
    'node_modules/a/node_modules/b': {
      peerDependencies: { react: '1', d: '1' },
      peerDependenciesMeta: { d: { optional: true } },
    },
    'node_modules/b': { dependencies: { c: '1' } },
    'node_modules/c': { dependencies: { a: '1' } },
    'node_modules/d': {},
  },
}

it('finds what a workspace runs with, by the nearest folder, without what builds and tests it', () => {
  expect(findClosure(lock, 'server')).toEqual({
    installed: [
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/b',
      'node_modules/c',
    ],
    workspaces: ['packages/api', 'server'],
  })
})

it('refuses a lock file that lacks a dependency', () => {
  const broken = { packages: { server: { dependencies: { gone: '1' } } } }
  expect(() => findClosure(broken, 'server')).toThrow('server needs gone')
})
