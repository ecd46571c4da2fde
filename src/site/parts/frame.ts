/** As wide as the pages get, and how far their content stays from the window's edge. */
export const frame = 'mx-auto w-full max-w-[72rem] px-4 sm:px-6 lg:px-8'
