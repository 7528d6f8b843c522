import type { MenuNode } from '@jiaowu/api/contract/session'
import { expect, it } from 'vitest'
import { findViewTitle, findMenuPath } from './titles.ts'

function buildTitledNode(
  name: string,
  path: string,
  tag: string | null,
  children: readonly MenuNode[] = [],
): MenuNode {
  return {
    id: name,
    name,
    path,
    icon: null,
    tag,
    hidden: false,
    meta: { title: name, roles: [] },
    children,
  }
}
const menu = [
  buildTitledNode('教学', '', null, [
    buildTitledNode('学生', '/entity/EDU_STUDENT/search', 'EDU_STUDENT'),
    buildTitledNode('配置', '/entity/config', null),
  ]),
]
function title(pathname: string, search = '') {
  return findViewTitle(menu, pathname, search, { home: '首页', todo: '待办', notFound: '没有此页' })
}

it('names a view by its address, the menu, or its entity', () => {
  expect(
    [
      '/',
      '/entity/EDU_STUDENT/search',
      '/preview/entity/EDU_STUDENT',
      '/entity/EDU_STUDENT/form',
      '/entity/config',
      '/entity/OTHER/search',
      '/preview/entity/OTHER',
    ].map((path) => title(path)),
  ).toEqual(['首页', '学生', '学生', '学生', '配置', 'OTHER', 'OTHER'])
  expect(title('/entity/EDU_STUDENT/details', '?id=1&_title=%E5%A7%9A%E9%9C%9E')).toBe('姚霞')
})
it('says of any other address that there is no such page', () => {
  expect(['/404', '/nowhere', '/a/b/c'].map((path) => title(path))).toEqual([
    '没有此页',
    '没有此页',
    '没有此页',
  ])
})
it('knows the way down to a page', () => {
  expect([findMenuPath(menu, '/entity/EDU_STUDENT/search'), findMenuPath(menu, '/x')]).toEqual([
    ['教学', '学生'],
    [],
  ])
})
