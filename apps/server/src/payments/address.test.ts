import { isIP } from 'node:net'
import { expect, it } from 'vitest'
import { reachableUrl } from './address.ts'

it('gives a telephone an address it can open', () => {
  expect(reachableUrl({ publicUrl: 'https://jw.example.edu.cn' })).toBe('https://jw.example.edu.cn')
  expect(reachableUrl({ publicUrl: 'http://192.168.1.7:7300' })).toBe('http://192.168.1.7:7300')
  for (const everywhere of ['http://0.0.0.0:7300', 'http://[::]:7300']) {
    const { hostname, port } = new URL(reachableUrl({ publicUrl: everywhere }))
    expect([isIP(hostname), port]).toEqual([4, '7300'])
    expect(hostname).not.toBe('0.0.0.0')
  }
})
