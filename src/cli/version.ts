/** The build and the test runner set these from package.json. */
declare const COE_VERSION: string
declare const COE_COMMIT: string

export const version: string = COE_VERSION
export const commit: string = COE_COMMIT
