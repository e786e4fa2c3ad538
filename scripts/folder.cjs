// Runs before tsx and Vite, which end the name of a file at # or ?.
const { dirname } = require('node:path')

const project = dirname(__dirname)
if (/[#?]/.test(project)) {
  console.error(
    `build: a site cannot be built in ${project}, because its name has # or ?. Rename the folder.`,
  )
  process.exit(1)
}
