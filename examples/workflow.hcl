# The file that examples/workflow.rs reads if it is given no other one.

variable "branch" {
  default = "main"
}

variable "region" {
  default = "eu-1"
}

task "publish" {
  after = [task.test.name]
  step {
    run = "upload ${given.build.file} --to releases/${var.branch}"
  }
}

task "build" {
  name = "build of ${var.branch}"
  step {
    run = "git checkout ${var.branch}"
  }
  step {
    run = "make all"
  }
}

task "test" {
  name = "tests for the ${task.build.name}"
  step {
    run = "run-tests ${given.build.file} --title '${upper(task.build.name)}'"
  }
}
