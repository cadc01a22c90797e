"""A judgement shown: JSON, JUnit XML and one HTML page that needs nothing else."""
